"""placeholder"""
SECRET_KEY = "x"
INSTALLED_APPS: list[str] = []
