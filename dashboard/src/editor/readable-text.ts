import { nameOfSource, type PlainText, parseText } from '@usher/domain';
import * as text from '../messages/text.ts';

const words = text.editor.mergeTags;

/** A text for lists. Each merge tag is replaced with the name of its value and the fallback. */
export function readableText(source: string | null | undefined): string {
  if (!source?.includes('{{')) return source ?? '';
  const parsed = parseText(source);
  return 'problem' in parsed ? source : describe(parsed);
}

function describe(nodes: PlainText): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if ('if' in node) return words.oneOf([describe(node.show), describe(node.else ?? [])].filter(Boolean));
      return words.oneOf([nameOfSource(node), node.or ?? ''].filter(Boolean));
    })
    .join('');
}
