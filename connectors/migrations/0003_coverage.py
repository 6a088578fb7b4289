from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("connectors", "0002_takedowns")]

    operations = [
        migrations.AddField("loadrow", "coverage", models.JSONField(null=True, verbose_name="dekking")),
    ]
