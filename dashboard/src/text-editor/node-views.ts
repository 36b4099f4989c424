import { createLookup, type Facts, nameOfSource, type PageUser, resolveTag } from '@usher/domain';
import { parsePicturePath } from '@usher/domain/pictures';
import type { Node } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import * as text from '../messages/text.ts';
import { readMergeTag } from './merge-tag.ts';

/** A profile as the API shows it. */
export type ValuesOfPerson = Readonly<Record<string, unknown>>;

interface Actions {
  /** The person whose values the chips show. */
  person: ValuesOfPerson | null;
  /** Opens the menu for the chip, which is selected. */
  onTag: () => void;
  /** Opens the dialog for the picture, which is selected. */
  onPicture: () => void;
  pictureWithoutText: string;
  /** What a step is called whose answer a chip shows. */
  nameOfStep: (id: string) => string | undefined;
}

const words = text.content.mergeTag;

type NodeViews = Record<string, NodeViewConstructor>;

/** How chips and pictures look in the editor. */
export function createNodeViews({ person, onTag, onPicture, pictureWithoutText, nameOfStep }: Actions): NodeViews {
  return {
    merge_tag: ({ attrs }) => {
      const dom = document.createElement('span');
      dom.className = 'text-editor-chip';
      dom.textContent = nameOfTag(attrs.tag, person, nameOfStep);
      dom.title = attrs.tag;
      dom.dir = 'auto';
      dom.contentEditable = 'false';
      dom.addEventListener('dblclick', onTag);
      return { dom, stopEvent: ({ type }) => type === 'dblclick' };
    },
    image: (node) => {
      const dom = drawPicture(node, pictureWithoutText);
      dom.addEventListener('dblclick', onPicture);
      return { dom, stopEvent: ({ type }) => type === 'dblclick' };
    },
  };
}

/** The value for the person, or the name of the property or of the step that was answered. */
function nameOfTag(text: string, person: ValuesOfPerson | null, nameOfStep: Actions['nameOfStep']): string {
  const tag = readMergeTag(text);
  if (!tag) return text;
  if ('answer' in tag) return words.answerTo(nameOfStep(tag.answer) ?? tag.answer);
  const value = person && 'prop' in tag ? resolveTag(tag, createLookup(userOf(person))) : '';
  return (typeof value === 'string' && value) || nameOfSource(tag);
}

/** The person as page loads know them: all values are in one record. */
function userOf(person: ValuesOfPerson): PageUser {
  const { company, browser_l } = person;
  return {
    profile: { facts: {}, custom: person as Facts['custom'] },
    company: { facts: {}, custom: (company ?? {}) as Facts['custom'] },
    now: Date.now(),
    language: typeof browser_l === 'string' ? browser_l : null,
    inSegment: () => false,
    isLive: () => false,
    isCompleted: () => false,
  };
}

/** The policy of the dashboard allows only its own pictures. Others are drawn as their description. */
function drawPicture({ attrs: { src, alt } }: Node, withoutText: string): HTMLElement {
  const stored = parsePicturePath(src);
  if (stored) {
    const { width, height } = stored;
    return Object.assign(document.createElement('img'), { src: src.replace('@2x', ''), alt, width, height });
  }
  const dom = document.createElement('span');
  dom.className = 'text-editor-picture';
  dom.setAttribute('role', 'img');
  dom.setAttribute('aria-label', alt || withoutText);
  dom.textContent = alt || src;
  dom.title = src;
  return dom;
}
