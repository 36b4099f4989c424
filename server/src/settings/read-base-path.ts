import { isOneOf } from '@usher/domain';
import { ownPaths } from './read-script-aliases.ts';
import { WrongSetting } from './read-setting.ts';

/** Reads a path such as `/help`, below which pages can reach this server. Without one, it is empty. */
export function readBasePath(text = ''): string {
  const path = text.replace(/\/$/, '');
  const fail = (why: string): never => {
    throw new WrongSetting(`USHER_BASE_PATH must be a path such as /help, not "${text}": ${why}`);
  };
  if (path === '') return '';
  if (!/^(\/[\w.~-]+)+$/.test(path) || path.length > 100)
    fail('it begins with "/" and has letters, digits and "/._~-", up to 100');
  if (/\/\.{1,2}(\/|$)/.test(path)) fail('browsers remove a part of it');
  const [, first = ''] = path.split('/');
  if (isOneOf(ownPaths, first)) fail(`"/${first}" belongs to Usher itself`);
  return path;
}
