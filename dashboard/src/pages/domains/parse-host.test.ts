import { expect, it } from 'vitest';
import { parseHost } from './parse-host.ts';

it.each([
  ['app.example.com', 'app.example.com'],
  ['  https://App.Example.com:8443/start?x=1#y ', 'app.example.com'],
  ['//app.example.com/', 'app.example.com'],
  ['app.example.com.', 'app.example.com'],
  ['localhost:3000', 'localhost'],
  ['http://127.0.0.1:5173/', '127.0.0.1'],
  ['http://[::1]:80', '[::1]'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['ann:secret@app.example.com', 'app.example.com'],
])('reads %s as %s', (input, host) => {
  expect(parseHost(input)).toEqual({ host, hasSubdomains: false });
});

it('reads a wildcard as the domain with its subdomains', () => {
  expect(parseHost('https://*.example.com')).toEqual({ host: 'example.com', hasSubdomains: true });
});

it.each(['', 'app', 'a b.com', 'app.*.com', 'exa\u202emple.com', '..', `${'a'.repeat(64)}.com`, 'javascript:alert(1)'])(
  'rejects %j',
  (input) => {
    expect(parseHost(input)).toBe(undefined);
  },
);
