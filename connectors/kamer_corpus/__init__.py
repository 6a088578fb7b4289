"""The real rows and papers of the Tweede Kamer that two stand-ins serve: that of its own service and that of OpenTK.

It knows no platform package. Rows stand under the names of v4/2.0, the version of which the whole description is known.
"""
