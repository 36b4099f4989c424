import type { Node } from 'prosemirror-model';
import { type Command, EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import {
  type FocusEvent,
  type Ref,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { picturesIn } from '../pictures/use-picture-upload.ts';
import { cx } from '../ui/cx.ts';
import {
  type EditedPicture,
  insertMergeTag,
  insertPicture,
  isActive,
  linkAt,
  selectedPicture,
  selectedTag,
  setLink,
  type Tool,
  tools,
} from './commands.ts';
import { EarlierAnswersContext } from './earlier-answers.ts';
import { createPlugins } from './keys-and-rules.ts';
import { LinkDialog } from './link-dialog.tsx';
import { MergeTagMenu } from './merge-tag-menu.tsx';
import { createNodeViews, type ValuesOfPerson } from './node-views.ts';
import { parseDocument } from './parse-text.ts';
import { clipboardParser, hideStyles, parsePastedText, serializeCopied } from './paste.ts';
import { PictureDialog } from './picture-dialog.tsx';
import { serializeDocument } from './serialize-text.ts';
import { signatureOf } from './signature.ts';
import { EditorToolbar, type ToolName } from './toolbar.tsx';

export interface TextEditorProps {
  /** The visible name of the field, and the ID of its element. */
  label: string;
  labelId?: string;
  describedBy?: string | undefined;
  value: string;
  /** Is called with the new Markdown. `isOwnStep`: the change was not typed, so it is undone separately. */
  onChange: (value: string, isOwnStep?: boolean) => void;
  onEditMarkdown: () => void;
  /** Is called when a dialog of the editor opens or closes. */
  onMenu?: ((isOpen: boolean) => void) | undefined;
  /** The person whose values the chips show. */
  person?: ValuesOfPerson | null | undefined;
  isInvalid: boolean;
  isReadOnly: boolean;
  placeholder?: string | undefined;
  hasFocusFirst?: boolean | undefined;
  rows: number;
  /**
   * Whether the field is one of many in a table. Then Enter is for the table and Shift+Enter begins a paragraph, and the tools show
   * while the field has the focus.
   */
  isInTable?: boolean | undefined;
  /** Further attributes of the textbox. */
  attributes?: Readonly<Record<string, string>> | undefined;
  /** The class of the border. */
  edge?: string | undefined;
  handle?: Ref<TextEditorHandle> | undefined;
}

export interface TextEditorHandle {
  insertTag(tag: string): void;
}

type Open = { kind: 'link' } | { kind: 'picture'; files?: readonly File[] } | { kind: 'tag'; tag?: string | undefined };

/** Edits Markdown as formatted text. It writes only the blocks that the person has changed. */
export default function TextEditor(props: TextEditorProps) {
  const {
    label,
    isReadOnly,
    isInvalid,
    rows,
    isInTable = false,
    edge = isInvalid ? 'border-bad' : 'border-edge',
  } = props;
  const mayUpload = useSession().can('edit');
  const [open, setOpen] = useState<Open>();
  const show = (next: Open | undefined) => {
    setOpen(next);
    props.onMenu?.(next !== undefined);
  };
  const { place, view, state, run } = useEditorView({ ...props, mayUpload }, show);
  const [isFocused, setFocused] = useState(false);
  useImperativeHandle(props.handle, () => ({
    insertTag: (tag) => {
      run(insertMergeTag(tag));
      view.current?.focus();
    },
  }));
  const close = () => {
    show(undefined);
    requestAnimationFrame(() => view.current?.focus());
  };
  const finish = (command: Command) => {
    close();
    run(command);
  };
  /** Pictures that were dropped together are described one after the other. */
  const addPicture = (picture: EditedPicture, [, ...others]: readonly File[] = []) => {
    if (others.length === 0) return finish(insertPicture(picture));
    run(insertPicture(picture));
    show({ kind: 'picture', files: others });
  };
  const use = (name: ToolName) => {
    if (name === 'markdown') props.onEditMarkdown();
    else if (name === 'link') show({ kind: 'link' });
    else if (name === 'mergeTag') show({ kind: 'tag', tag: state && selectedTag(state) });
    else if (name === 'picture') show({ kind: 'picture' });
    else {
      run(tools[name]);
      view.current?.focus();
    }
  };
  const link = state && linkAt(state);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus is inside
    <div
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => setFocused(currentTarget.contains(relatedTarget))}
      className={cx(
        'text-editor relative overflow-hidden rounded-6 border bg-surface text-14 text-ink focus-within:border-accent',
        edge,
        isInTable && !isReadOnly && 'flex flex-col pb-7.5',
        isReadOnly && 'bg-ground',
      )}
    >
      {!isReadOnly && (!isInTable || isFocused) && (
        <EditorToolbar
          label={label}
          isShort={isInTable}
          isOn={(name) => state && isActive(state, name as Tool | 'link')}
          onUse={use}
        />
      )}
      <div ref={place} data-rows={rows} />
      {open?.kind === 'tag' && (
        <MergeTagMenu tag={open.tag} onClose={close} onInsert={(tag) => finish(insertMergeTag(tag))} />
      )}
      {open?.kind === 'link' && link && (
        <LinkDialog link={link} onClose={close} onSave={(edited) => finish(setLink(edited))} />
      )}
      {open?.kind === 'picture' && (
        <PictureDialog
          key={open.files?.length}
          picture={state && selectedPicture(state)}
          file={open.files?.[0]}
          mayUpload={mayUpload}
          onClose={close}
          onSave={(picture) => addPicture(picture, open.files)}
        />
      )}
    </div>
  );
}

/** Marks a change that did not come from typing. */
const OWN_STEP = 'own-step';

function useEditorView(props: TextEditorProps & { mayUpload: boolean }, show: (open: Open) => void) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const [state, setState] = useState<EditorState>();
  const earlier = useContext(EarlierAnswersContext);
  const latest = useRef({ ...props, show, earlier });
  latest.current = { ...props, show, earlier };
  /** The Markdown that the document says. */
  const known = useRef(props.value);
  const nodeViews = () =>
    createNodeViews({
      person: latest.current.person ?? null,
      pictureWithoutText: text.content.picture.noAlt,
      nameOfStep: (id) => latest.current.earlier.nameOf(id),
      onPicture: () => latest.current.show({ kind: 'picture' }),
      onTag: () => view.current && latest.current.show({ kind: 'tag', tag: selectedTag(view.current.state) }),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is created once and reads the latest props
  useLayoutEffect(() => {
    if (!place.current) return;
    const plugins = createPlugins({
      editLink: () => latest.current.show({ kind: 'link' }),
      openTags: (tag) => latest.current.show({ kind: 'tag', tag }),
      editPicture: () => latest.current.show({ kind: 'picture' }),
      isInTable: latest.current.isInTable ?? false,
    });
    const editor = new EditorView(place.current, {
      state: EditorState.create({ doc: parseDocument(known.current), plugins }),
      editable: () => !latest.current.isReadOnly,
      attributes: (current) => attributesOf(latest.current, current.doc),
      nodeViews: nodeViews(),
      transformPastedHTML: hideStyles,
      clipboardParser,
      clipboardTextParser: parsePastedText,
      clipboardTextSerializer: serializeCopied,
      handlePaste: (_, { clipboardData }) => {
        // Word and spreadsheets add a picture of the text that was copied.
        const files = clipboardData?.getData('text/plain') ? [] : picturesIn(clipboardData);
        if (files.length > 0 && latest.current.mayUpload) latest.current.show({ kind: 'picture', files });
        return files.length > 0;
      },
      handleDrop: (editor, { dataTransfer, clientX, clientY }, _, isMoved) => {
        const files = [...(dataTransfer?.files ?? [])];
        // A browser would leave the page to open a file.
        if (files.length === 0 || isMoved) return false;
        const place = editor.posAtCoords({ left: clientX, top: clientY });
        const at = editor.state.doc.resolve(place?.pos ?? editor.state.selection.to);
        editor.dispatch(editor.state.tr.setSelection(TextSelection.near(at)));
        if (latest.current.mayUpload) latest.current.show({ kind: 'picture', files });
        return true;
      },
      handleDOMEvents: {
        // The history of the Experience undoes, also from the menu of the browser, whose own undo knows no nodes.
        beforeinput: (_, event) => {
          if (/^history/.test(event.inputType)) event.preventDefault();
          return /^history/.test(event.inputType);
        },
        blur: (editor) => {
          syncDocument(editor, known.current, true);
          return false;
        },
      },
      dispatchTransaction(tr) {
        const { state: next, transactions } = editor.state.applyTransaction(tr);
        editor.updateState(next);
        setState(editor.state);
        if (!tr.docChanged || tr.getMeta('external')) return;
        const written = serializeDocument(editor.state.doc);
        if (written === known.current) return;
        known.current = written;
        latest.current.onChange(written, transactions.some(isOwnStep));
      },
    });
    view.current = editor;
    setState(editor.state);
    if (latest.current.hasFocusFirst) {
      editor.dispatch(editor.state.tr.setSelection(Selection.atEnd(editor.state.doc)));
      editor.focus();
    }
    return () => editor.destroy();
  }, []);
  // Undo, another tab or another person has changed the text.
  useEffect(() => {
    if (props.value === known.current || !view.current) return;
    known.current = props.value;
    syncDocument(view.current, props.value);
  }, [props.value]);
  const { person, isInvalid, isReadOnly, describedBy, placeholder } = props;
  const attributes = JSON.stringify(props.attributes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the attributes and the chips show
  useEffect(() => {
    view.current?.setProps({ nodeViews: nodeViews() });
  }, [person, isInvalid, isReadOnly, describedBy, placeholder, attributes]);
  const run = (command: Command) =>
    view.current &&
    command(view.current.state, (tr) => view.current?.dispatch(tr.setMeta(OWN_STEP, true)), view.current);
  return { place, view, state, run };
}

/** Typing replaces a piece of the text. Marks, lists and other blocks are other kinds of steps. */
const isOwnStep = (tr: Transaction) =>
  tr.getMeta(OWN_STEP) === true ||
  tr.getMeta('uiEvent') !== undefined ||
  tr.getMeta('appendedTransaction') !== undefined ||
  tr.steps.some((step) => !('slice' in step) || 'gapFrom' in step);

/** Makes the document say a text, and changes only what differs, so that the caret stays where it is. */
function syncDocument(view: EditorView, value: string, isOnlyOnChange = false): void {
  const { state } = view;
  const next = parseDocument(value);
  if (isOnlyOnChange && signatureOf(next) === signatureOf(state.doc)) return;
  const from = state.doc.content.findDiffStart(next.content);
  const end = state.doc.content.findDiffEnd(next.content);
  const { tr } = state;
  if (from !== null && end) {
    // Where a letter is repeated, both ends overlap.
    const overlap = Math.max(0, from - Math.min(end.a, end.b));
    tr.replace(from, end.a + overlap, next.slice(from, end.b + overlap));
    if (view.hasFocus())
      tr.setSelection(Selection.near(tr.doc.resolve(Math.min(end.b + overlap, tr.doc.content.size)), -1));
  }
  for (const name of ['head', 'tail']) tr.setDocAttribute(name, next.attrs[name]);
  view.dispatch(tr.setMeta('external', true));
}

function attributesOf(props: TextEditorProps, doc: Node): Record<string, string> {
  const isEmpty =
    doc.childCount === 1 && doc.firstChild?.type.name === 'paragraph' && doc.firstChild.content.size === 0;
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    ...(props.labelId === undefined ? { 'aria-label': props.label } : { 'aria-labelledby': props.labelId }),
    ...props.attributes,
    ...(props.describedBy !== undefined && { 'aria-describedby': props.describedBy }),
    ...(props.isInvalid && { 'aria-invalid': 'true' }),
    ...(props.isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
    ...(props.placeholder !== undefined && { 'aria-placeholder': props.placeholder }),
    ...(isEmpty && props.placeholder !== undefined && { 'data-placeholder': props.placeholder }),
    class: 'text-editor-content',
  };
}
