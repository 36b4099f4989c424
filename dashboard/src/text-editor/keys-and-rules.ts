import { isAddress } from '@usher/domain';
import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { MarkType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import type { Command, Plugin } from 'prosemirror-state';
import { deleteTag, selectedPicture, selectedTag, tools, typedTags } from './commands.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

interface Actions {
  editLink: () => void;
  /** Opens the menu of values, for a new one or for the selected chip. */
  openTags: (tag?: string) => void;
  /** Opens the dialog for the selected picture. */
  editPicture: () => void;
  /** Whether Enter is for the table around the field. */
  isInTable: boolean;
}

export function createPlugins({ editLink, openTags, editPicture, isInTable }: Actions): Plugin[] {
  const link: Command = () => {
    editLink();
    return true;
  };
  const editTag: Command = (state) => {
    const tag = selectedTag(state);
    if (tag !== undefined) openTags(tag);
    return tag !== undefined;
  };
  const openPicture: Command = (state) => {
    const picture = selectedPicture(state);
    if (picture) editPicture();
    return picture !== undefined;
  };
  // Ctrl+Enter publishes, and Tab leaves the field as in every form.
  const { 'Mod-Enter': _, Tab: __, ...base } = baseKeymap;
  const split = chainCommands(splitListItem(nodes.list_item), base.Enter as Command);
  const enter = isInTable
    ? { Enter: () => true, 'Shift-Enter': split }
    : { Enter: chainCommands(editTag, openPicture, split), 'Shift-Enter': chainCommands(exitRaw, hardBreak) };
  return [
    rules(() => openTags()),
    typedTags,
    keymap({
      'Mod-b': tools.bold,
      'Mod-i': tools.italic,
      'Mod-Shift-x': tools.strike,
      'Mod-e': tools.code,
      'Mod-k': link,
      'Mod-Shift-7': tools.numbers,
      'Mod-Shift-8': tools.list,
      'Mod-]': sinkListItem(nodes.list_item),
      'Mod-[': liftListItem(nodes.list_item),
      ...enter,
      Backspace: chainCommands(undoInputRule, deleteTag(-1)),
      Delete: deleteTag(1),
    }),
    keymap(base as Record<string, Command>),
  ];
}

/** Shift+Enter leaves code, where Enter is a line. */
const exitRaw: Command = (state, dispatch) => exitCode(state, dispatch);

const hardBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.contentMatch.matchType(nodes.hard_break)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Markdown that is typed becomes what it means. Backspace takes it back. */
const rules = (openTags: () => void) =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, signs = '']) => ({ level: signs.length })),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodes.ordered_list,
        ([, number]) => ({ order: Number(number) }),
        ([, number], node) => node.childCount + node.attrs.order === Number(number),
      ),
      new InputRule(/^(?:---|\*\*\*|___)$/, (state, _, from) => {
        const $from = state.doc.resolve(from);
        if ($from.depth > 1) return null;
        return state.tr
          .replaceRangeWith($from.before(), $from.after(), nodes.divider.create())
          .insert($from.before() + 1, nodes.paragraph.create());
      }),
      markRule(/(?<![*\w])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      markRule(/(?<![_\w])__([^_\s](?:[^_]*[^_\s])?)__$/, marks.strong),
      markRule(/(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks.em),
      markRule(/(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, marks.em),
      markRule(/~~([^~\s](?:[^~]*[^~\s])?)~~$/, marks.strike),
      markRule(/(?<!`)`([^`]+)`$/, marks.code),
      new InputRule(/\[([^[\]]+)\]\(([^()\s]+)\)$/, (state, [, words = '', href = ''], from, to) =>
        isAddress(href, 'href')
          ? state.tr
              .replaceWith(from, to, schema.text(words, [marks.link.create({ href })]))
              .removeStoredMark(marks.link)
          : null,
      ),
      // The braces stay until a value is chosen, so that a tag can also be typed.
      new InputRule(/\{\{$/, () => {
        setTimeout(openTags);
        return null;
      }),
    ],
  });

function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(
    pattern,
    (state, [all, words = ''], from, to) => {
      const first = from + all.indexOf(words);
      const { tr } = state;
      // The last sign is not in the document yet.
      if (to > first + words.length) tr.delete(first + words.length, to);
      if (first > from) tr.delete(from, first);
      return tr.addMark(from, from + words.length, type.create()).removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}
