"""Transactions on a database that others use at the same time: transactions.py DATABASE CLIENT COUNT

Each adds a row of this client's own and one to a number that all share, whatever the server does
meanwhile. How many were made is in /run/guest/transactions-CLIENT.
"""

import os
import sqlite3
import sys
import time

# A server that was killed comes back, and has clients claim their locks before it goes on.
PATIENCE_SECONDS = 300


def transact(database, client, number):
    began = time.monotonic()
    while True:
        try:
            database.execute("begin immediate")
            database.execute("insert into made values(?, ?)", (client, number))
            database.execute("update shared set count = count + 1")
            database.execute("commit")
            return
        except sqlite3.OperationalError as refusal:
            if "locked" not in str(refusal) or time.monotonic() - began > PATIENCE_SECONDS:
                raise
            if database.in_transaction:
                database.execute("rollback")


def tell(client, number):
    path = f"/run/guest/transactions-{client}"
    with open(path + ".part", "w") as file:
        file.write(str(number))
    os.rename(path + ".part", path)


path, client, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = sqlite3.connect(path, timeout=60, isolation_level=None)
began = time.monotonic()
longest = 0.0
for number in range(1, count + 1):
    start = time.monotonic()
    transact(database, client, number)
    longest = max(longest, time.monotonic() - start)
    if number % 10 == 0 or number == count:
        tell(client, number)
seconds = time.monotonic() - began
print(f"client {client}: {count} transactions in {seconds:.0f} s, the longest {longest:.1f} s")
