import { normalizeKey } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { readDocuments } from './read-documents.ts';

/** IDs of records and hashes of pictures. */
const idPattern = /[0-9a-f]{24,32}/g;

/** Finds the IDs and the hashes of pictures that anything else in the account names, wherever in its document. */
export async function findNamedIds(ctx: Context): Promise<Set<string>> {
  const named = new Set<string>();
  for await (const documents of readDocuments(ctx))
    for (const { owner, text } of documents)
      for (const [id] of text.matchAll(idPattern)) if (id !== owner) named.add(id);
  return named;
}

const MAX_NAME = 255;
/** Also a merge tag that is not valid names what it has in it. */
const mergeTag = /\{\{[^}]*\}\}/g;
const words = /[\p{L}\p{M}\p{N}_.-]+/gu;

/**
 * Finds the keys of Properties that anything in the account may name. Every short text counts, whatever it is for, and each part of a path
 * such as `address.city`: a text that only happens to be the same as a key keeps that Property from being listed.
 */
export async function findNamedProperties(ctx: Context): Promise<Set<string>> {
  const named = new Set<string>();
  const add = (path: string) => {
    for (const part of path.split('.')) named.add(normalizeKey(part));
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length <= MAX_NAME) add(value);
      for (const [tag] of value.matchAll(mergeTag)) for (const [word] of tag.matchAll(words)) add(word);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        add(key);
        visit(inner);
      }
  };
  for await (const documents of readDocuments(ctx))
    for (const { text } of documents) for (const document of splitDocuments(text)) visit(document);
  return named;
}

function splitDocuments(text: string): unknown[] {
  return JSON.parse(`[${text}]`);
}
