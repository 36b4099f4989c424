#!/usr/bin/env node
// Without a command, the server starts: `npx usher-server`.
if (process.argv.length === 2) process.argv.push('serve');
await import('../server/dist/main.js');
