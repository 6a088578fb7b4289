"""What operators see of the queues and do about them, without Django: ``throttling.admin`` puts it on pages.

``queues`` names them, ``reading`` looks into the store, ``overview`` makes of it what a page prints, ``chart`` draws the last
hour, ``acts`` reads what an operator wants and does it in the store.
"""
