import hashlib
import hmac
import os
import time

def uid_hash(uid):
    seconds = int(time.time())
    key = os.environ["USHER_UID_SECRET"].encode()
    digest = hmac.new(key, f"{uid}-{seconds}".encode(), hashlib.sha256).hexdigest()
    return f"{digest}-{seconds}"
