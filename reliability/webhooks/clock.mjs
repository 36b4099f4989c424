// Loaded before Usher: its clock is ahead by as much as the one who starts it says.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const now = Date.now;
Date.now = () => now() + ahead;
