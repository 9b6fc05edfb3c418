"""What goes over the wire: the fields of Google's messages, masks that choose among them, errors."""
