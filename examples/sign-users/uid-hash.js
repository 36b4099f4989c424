import { createHmac } from 'node:crypto';

export function uidHash(uid) {
  const seconds = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', process.env.USHER_UID_SECRET).update(`${uid}-${seconds}`).digest('hex');
  return `${digest}-${seconds}`;
}
