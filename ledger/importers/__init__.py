"""Reading what panels and measuring tools leave behind."""
