<?php

function uid_hash(string $uid): string
{
    $seconds = time();
    return hash_hmac('sha256', "$uid-$seconds", getenv('USHER_UID_SECRET')) . "-$seconds";
}
