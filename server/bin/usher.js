#!/usr/bin/env node
import { buildIfNeeded } from '../build.js';

await buildIfNeeded();
await import(new URL('../dist/main.js', import.meta.url).href);
