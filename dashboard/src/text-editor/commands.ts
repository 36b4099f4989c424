import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { MarkType, Node, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, Plugin, Selection, TextSelection } from 'prosemirror-state';
import { readMergeTag } from './merge-tag.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export const tools = {
  bold: toggleMark(marks.strong),
  italic: toggleMark(marks.em),
  strike: toggleMark(marks.strike),
  code: toggleMark(marks.code),
  heading: toggleBlock(nodes.heading),
  quote: toggleWrap(nodes.blockquote),
  list: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  divider: insertDivider,
} satisfies Record<string, Command>;

export type Tool = keyof typeof tools;

const isMarked = (state: EditorState, type: MarkType) => {
  const { from, to, $from, empty } = state.selection;
  return empty ? Boolean(type.isInSet(state.storedMarks ?? $from.marks())) : state.doc.rangeHasMark(from, to, type);
};

const isInside = ({ selection: { $from } }: EditorState, type: NodeType) => {
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true;
  return false;
};

/** Whether a tool is on at the selection. Undefined for tools that only insert. */
export function isActive(state: EditorState, tool: Tool | 'link'): boolean | undefined {
  switch (tool) {
    case 'bold':
      return isMarked(state, marks.strong);
    case 'italic':
      return isMarked(state, marks.em);
    case 'strike':
      return isMarked(state, marks.strike);
    case 'code':
      return isMarked(state, marks.code);
    case 'link':
      return isMarked(state, marks.link);
    case 'heading':
      return isInside(state, nodes.heading);
    case 'quote':
      return isInside(state, nodes.blockquote);
    case 'list':
      return listAround(state)?.type === nodes.bullet_list;
    case 'numbers':
      return listAround(state)?.type === nodes.ordered_list;
    default:
      return undefined;
  }
}

function toggleBlock(type: NodeType): Command {
  return (state, dispatch, view) => setBlockType(isInside(state, type) ? nodes.paragraph : type)(state, dispatch, view);
}

function toggleWrap(type: NodeType): Command {
  return (state, dispatch, view) =>
    isInside(state, type) ? lift(state, dispatch) : wrapIn(type)(state, dispatch, view);
}

interface Found {
  type: NodeType;
  node: Node;
  pos: number;
}

function listAround({ selection: { $from } }: EditorState): Found | undefined {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    const { type } = node;
    if (type === nodes.bullet_list || type === nodes.ordered_list) return { type, node, pos: $from.before(depth) };
  }
  return undefined;
}

/** Makes a list, changes its kind, or makes paragraphs of it. */
function toggleList(type: NodeType): Command {
  return (state, dispatch, view) => {
    const around = listAround(state);
    if (!around) return wrapInList(type)(state, dispatch);
    if (around.type === type) return liftListItem(nodes.list_item)(state, dispatch, view);
    dispatch?.(state.tr.setNodeMarkup(around.pos, type));
    return true;
  };
}

function insertDivider(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  if (state.selection.$from.parent.type.spec.code) return false;
  if (dispatch) {
    const tr = state.tr.replaceSelectionWith(nodes.divider.create());
    const after = tr.selection.$from;
    if (after.pos >= tr.doc.content.size - 1 && !after.parent.isTextblock)
      tr.insert(tr.doc.content.size, nodes.paragraph.create()).setSelection(TextSelection.atEnd(tr.doc));
    dispatch(tr.scrollIntoView());
  }
  return true;
}

/** Puts a value of the user in the place of the selection, of a selected chip, and of the braces that opened the menu. */
export function insertMergeTag(tag: string): Command {
  return (state, dispatch) => {
    const { $from, from, to } = state.selection;
    const before = $from.parent.isTextblock
      ? $from.parent.textBetween(Math.max(0, $from.parentOffset - 2), $from.parentOffset)
      : '';
    const start = before === '{{' ? from - 2 : from;
    // Everything is selected.
    if (!$from.parent.inlineContent) dispatch?.(state.tr.replaceSelectionWith(nodes.merge_tag.create({ tag })));
    else if ($from.parent.type.spec.code) dispatch?.(state.tr.insertText(tag, start, to));
    else {
      const kept = state.storedMarks ?? $from.marks();
      const tr = state.tr.replaceWith(start, to, nodes.merge_tag.create({ tag }, null, kept));
      dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(start + 1))).scrollIntoView());
    }
    return true;
  };
}

/** The chip that is selected. */
export function selectedTag({ selection }: EditorState): string | undefined {
  return selection instanceof NodeSelection && selection.node.type === nodes.merge_tag
    ? selection.node.attrs.tag
    : undefined;
}

/** The picture that is selected. */
export function selectedPicture({ selection }: EditorState): EditedPicture | undefined {
  if (!(selection instanceof NodeSelection) || selection.node.type !== nodes.image) return undefined;
  const { src, alt } = selection.node.attrs;
  return { src, alt };
}

/** Backspace removes the chip before the caret, and Delete the one after it. */
export const deleteTag =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection;
    const node = direction < 0 ? $from.nodeBefore : $from.nodeAfter;
    if (!empty || node?.type !== nodes.merge_tag) return false;
    const start = direction < 0 ? $from.pos - 1 : $from.pos;
    dispatch?.(state.tr.delete(start, start + 1).scrollIntoView());
    return true;
  };

export interface EditedLink {
  text: string;
  href: string;
}

/** The link at the selection with its whole text, or the selected text. */
export function linkAt(state: EditorState): EditedLink & { from: number; to: number } {
  const { from, to, $from } = state.selection;
  const mark = marks.link.isInSet($from.marks()) ?? ($from.nodeAfter && marks.link.isInSet($from.nodeAfter.marks));
  if (!mark) return { from, to, text: state.doc.textBetween(from, to, ' '), href: '' };
  let start = from;
  let end = to;
  $from.parent.forEach((node, offset) => {
    if (!mark.isInSet(node.marks)) return;
    const at = $from.start() + offset;
    if (at <= end && at + node.nodeSize >= start) {
      start = Math.min(start, at);
      end = Math.max(end, at + node.nodeSize);
    }
  });
  return { from: start, to: end, text: state.doc.textBetween(start, end, ' '), href: mark.attrs.href };
}

/** Writes a link. Without an address, its text stays. */
export function setLink({ text, href }: EditedLink): Command {
  return (state, dispatch) => {
    const { from, to, text: before } = linkAt(state);
    const { tr } = state;
    let end = to;
    if (text !== before || from === to) {
      const words = text || href;
      tr.replaceWith(from, to, schema.text(words, marks.link.removeFromSet(state.doc.resolve(from).marks())));
      end = from + words.length;
    }
    tr.removeMark(from, end, marks.link);
    if (href) tr.addMark(from, end, marks.link.create({ href }));
    dispatch?.(
      tr
        .setSelection(Selection.near(tr.doc.resolve(end), -1))
        .removeStoredMark(marks.link)
        .scrollIntoView(),
    );
    return true;
  };
}

export interface EditedPicture {
  src: string;
  alt: string;
}

/** Inserts a picture, or changes the selected one. */
export function insertPicture(picture: EditedPicture): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if ($from.parent.type.spec.code) return false;
    const before = selectedPicture(state) ? $from.nodeAfter?.attrs : null;
    dispatch?.(state.tr.replaceSelectionWith(nodes.image.create({ ...before, ...picture })).scrollIntoView());
    return true;
  };
}

const TAG = /\{\{[^{}]*\}\}/g;

/** Makes chips of merge tags that were typed or pasted. A tag that was there before, as text, stays text. */
export const typedTags = new Plugin({
  appendTransaction(transactions, _, state) {
    if (!transactions.some(({ docChanged }) => docChanged) || transactions.some((tr) => tr.getMeta('external')))
      return null;
    const changed: { from: number; to: number }[] = [];
    for (const [index, transaction] of transactions.entries())
      for (const [at, map] of transaction.mapping.maps.entries())
        map.forEach((_from, _to, from, to) => {
          const rest = transaction.mapping.slice(at + 1);
          const later = transactions.slice(index + 1);
          const mapped = (pos: number) => later.reduce((now, next) => next.mapping.map(now), rest.map(pos));
          changed.push({ from: mapped(from), to: mapped(to) });
        });
    const { tr } = state;
    state.doc.descendants((node, pos) => {
      if (!node.isText || state.doc.resolve(pos).parent.type.spec.code) return;
      for (const { 0: tag, index } of [...(node.text ?? '').matchAll(TAG)].reverse()) {
        const end = pos + index + tag.length;
        const isNew = changed.some(({ from, to }) => end > from && end <= to);
        if (!isNew || !readMergeTag(tag)) continue;
        tr.replaceWith(
          tr.mapping.map(pos + index),
          tr.mapping.map(end),
          nodes.merge_tag.create({ tag }, null, node.marks),
        );
      }
    });
    return tr.docChanged ? tr : null;
  },
});
