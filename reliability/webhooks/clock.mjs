// Loaded before the server: moves its clock ahead by CLOCK_AHEAD_MS.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const now = Date.now;
Date.now = () => now() + ahead;
