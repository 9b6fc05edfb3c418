"""The push queue's broker on RabbitMQ 3.10 and later, over pika: no plugin, no management rights."""
