import type { PreviewEvent } from '../../../../script/src/preview/messages.ts';

const textPath = /^[a-z_]+(\.(\d+|[a-z_]+)){0,4}$/;

/**
 * Checks a message of the preview's document. The document contains what authors write, so nothing in the message is
 * trusted.
 */
export function readEvent(message: unknown): PreviewEvent | undefined {
  const event = message as PreviewEvent | null;
  if (typeof event !== 'object' || event === null || event.usher !== 'preview') return undefined;
  switch (event.event) {
    case 'ready':
      return event;
    case 'step':
      return isIndex(event.step) ? event : undefined;
    case 'text':
      return isPath(event.path) && isRect(event.box) ? event : undefined;
    case 'end':
      return typeof event.state === 'string' ? event : undefined;
    case 'painted':
      return isIndex(event.step) && (event.box === null || isRect(event.box)) && isPathList(event.overflow)
        ? event
        : undefined;
    default:
      return undefined;
  }
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && textPath.test(value);
}

function isPathList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPath);
}

function isIndex(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isRect(box: unknown): boolean {
  const rect = box as Record<string, unknown> | undefined;
  return ['left', 'top', 'width', 'height'].every((name) => Number.isFinite(rect?.[name]));
}

type Parts = readonly { id: string; buttons?: readonly { id: string }[] }[];
interface Model {
  steps?: Parts;
  items?: Parts;
}

/**
 * Translates the path of a text between the draft and the content of a page. The content has no hidden items, so
 * indexes differ. Returns undefined if the other side does not have the part.
 */
export function translatePath(path: string, from: Model, to: Model): string | undefined {
  const keys = path.split('.');
  const [list, index] = keys;
  if (list !== 'steps' && list !== 'items') return path;
  const part = from[list]?.[Number(index)];
  const at = to[list]?.findIndex(({ id }) => id === part?.id) ?? -1;
  if (!part || at < 0) return undefined;
  return [list, at, ...keys.slice(2)].join('.');
}
