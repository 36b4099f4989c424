import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isOneOf, readNetwork } from '@usher/domain';

/** A setting that cannot be used. The server prints this one line and does not start. */
export class WrongSetting extends Error {
  constructor(message: string) {
    super(message.replace(/\s+/g, ' '));
  }
}

export function readWhole(
  name: string,
  text: string | undefined,
  what: string,
  max: number,
  min = 1,
): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new WrongSetting(`${name} must be a number of ${what} from ${min} to ${max}, not "${text}"`);
  return value;
}

export function readDays(name: string, text: string | undefined, min?: number): number | undefined {
  return readWhole(name, text, 'days', 36_500, min);
}

export function readSeconds(name: string, text: string | undefined): number | undefined {
  return readWhole(name, text, 'seconds', 3600);
}

export function readMegabytes(name: string, text: string | undefined): number | undefined {
  return readLimited(name, text, 'a number of megabytes', 99_999_999);
}

export function readLimit(name: string, text: string | undefined, what = 'requests a minute'): number | undefined {
  return readLimited(name, text, `a number of ${what}`, 1_000_000_000);
}

export function readCount(name: string, text: string | undefined): number | undefined {
  return readLimited(name, text, 'a whole number', 1_000_000_000);
}

export function readQuota(name: string, text: string | undefined): number | undefined {
  return readLimited(name, text, 'a number a day', 9_999_999_999);
}

function readLimited(name: string, text: string | undefined, what: string, max: number): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new WrongSetting(`${name} must be ${what}, or 0 for no limit, not "${text}"`);
  return value;
}

export function readPort(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new WrongSetting(`${name} must be a number from 0 to 65535, not "${text}"`);
  return port;
}

export function readSecret(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length < 16 || /\s/.test(text))
    throw new WrongSetting(`${name} must have 16 characters or more and no spaces`);
  return text;
}

export function readTextFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new WrongSetting(`${name} names a file that cannot be read: ${file}`);
  }
}

export function readPem(name: string, file: string): Buffer {
  const content = Buffer.from(readTextFile(name, file));
  if (!content.includes('-----BEGIN ')) throw new WrongSetting(`${name} must name a PEM file: ${file} is none`);
  return content;
}

export function readSwitch(name: string, text: string | undefined): boolean | undefined {
  const word = readWord(name, text, ['true', 'false'] as const);
  return word && word === 'true';
}

export function readWord<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (!text) return undefined;
  if (!isOneOf(words, text)) throw new WrongSetting(`${name} must be one of ${words.join(', ')}, not "${text}"`);
  return text;
}

export function readNetworks(name: string, text: string | undefined): string[] {
  return readList(
    name,
    text,
    (item) => readNetwork(item) !== undefined,
    'addresses or networks such as 10.0.0.0/8, separated by commas',
  );
}

export function readAddresses(name: string, text: string | undefined): string[] {
  return readList(name, text, (item) => isIP(item) !== 0, 'IP addresses separated by commas');
}

function readList(name: string, text: string | undefined, isValid: (item: string) => boolean, what: string): string[] {
  const list = (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const wrong = list.find((item) => !isValid(item));
  if (wrong !== undefined) throw new WrongSetting(`${name} must be ${what}, not "${wrong}"`);
  return list;
}
