import { afterEach, expect, it, vi } from 'vitest';
import { pageUrl } from './installation.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['http://127.0.0.1:3400', 'http://127.0.0.1:3400', 'http://usher.lan:3400'],
  ['http://127.0.0.1:3400', 'http://127.0.0.1:3400/help', 'http://usher.lan:3400/help'],
  ['http://127.0.0.1:3400', 'http://localhost:5173/help', 'http://localhost:5173/help'],
  ['https://usher.example.com', 'https://usher.example.com/help', 'https://usher.example.com/help'],
  ['https://usher.example.com', 'https://app.example.com/help', 'https://app.example.com/help'],
])('is of a server at %s with the address of pages %s: %s', (server_url, page_url, expected) => {
  // The address at which the person has opened the dashboard.
  vi.stubGlobal('location', { origin: 'http://usher.lan:3400' });
  expect(pageUrl({ server_url, page_url })).toBe(expected);
});
