import { Check, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { languageName } from '../../../languages/language-names.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { keyOf, listMissingTags, type SourceText, type TextPlace } from './texts.ts';
import { TranslationInput, type TranslationInputHandle } from './translation-input.tsx';
import { type TextEdit, valueIn } from './translation-store.ts';
import type { TranslationsEditor } from './use-translations.ts';
import { isMissing, isOutdated, isUnreviewed } from './visible-texts.ts';

const texts = text.translations;
/** The number of characters shows from this share of the maximum length on. */
const NEARLY_FULL = 0.8;

interface TranslationFieldProps {
  label: string;
  /** The ID of the element with the source text. */
  describedBy: string;
  source: SourceText;
  place: TextPlace;
  direction: 'ltr' | 'rtl';
  editor: TranslationsEditor;
  isLong: boolean;
  isReadOnly: boolean;
}

/** The field of one text in one language, with its problems below. */
export function TranslationField(props: TranslationFieldProps) {
  const { label, describedBy, source, place, direction, editor, isLong, isReadOnly } = props;
  const { store, state } = editor;
  const { language } = place;
  const notesId = useId();
  const edit = state.edits.get(keyOf(place));
  const value = valueIn(state, place);
  const isNew = !isOutdated(source, language) && isUnreviewed(source, language);
  const isTodo = value.trim() === '' ? isMissing(source, language) : (isNew || isOutdated(source, language)) && !edit;
  const input = useRef<TranslationInputHandle>(null);
  return (
    <div className="flex flex-col gap-1">
      <TranslationInput
        key={keyOf(place)}
        handle={input}
        label={label}
        attributes={{ 'data-text': keyOf(place), ...(isTodo && { 'data-todo': '' }), lang: language, dir: direction }}
        describedBy={`${describedBy} ${notesId}`}
        isMarkdown={source.is_markdown}
        isInvalid={edit?.problem !== undefined}
        value={value}
        onChange={(typed) => store.type(place, typed)}
        isReadOnly={isReadOnly}
        placeholder={source.inherited[language]?.text ?? (isMissing(source, language) ? texts.notTranslated : '')}
        edge={
          edit?.problem !== undefined || edit?.theirs
            ? 'border-bad'
            : isTodo && value !== ''
              ? 'border-warn'
              : 'border-edge'
        }
      />
      <div id={notesId} className="flex flex-col gap-1 empty:hidden">
        {edit?.problem !== undefined && <p className="text-13 text-bad">{edit.problem}</p>}
        {edit?.theirs && <Conflict edit={edit} editor={editor} direction={direction} />}
        {isTodo && value.trim() !== '' && (
          <Note
            action={
              !isReadOnly && (
                <Button size="small" icon={Check} onPress={() => store.confirm(place)}>
                  {isNew ? texts.isRight : texts.stillRight}
                </Button>
              )
            }
          >
            {isNew ? texts.unreviewed : texts.outdated}
          </Note>
        )}
        {isLong && value.trim() !== '' && <Note>{texts.long}</Note>}
        {listMissingTags(source.text, value).map((tag) => (
          <Note
            key={tag}
            action={
              !isReadOnly && (
                <Button size="small" aria-label={texts.insertTag(tag)} onPress={() => input.current?.insertTag(tag)}>
                  {texts.insert}
                </Button>
              )
            }
          >
            {texts.tags(tag)}
          </Note>
        ))}
        <Inherited source={source} language={language} isEmpty={value.trim() === ''} />
        {value.length > source.max_length * NEARLY_FULL && (
          <p className={cx('text-12', [...value].length > source.max_length ? 'text-bad' : 'text-soft')}>
            {texts.left(formatNumber([...value].length), formatNumber(source.max_length))}
          </p>
        )}
      </div>
    </div>
  );
}

/** The text that people see as long as this language has none of its own. */
function Inherited({ source, language, isEmpty }: { source: SourceText; language: string; isEmpty: boolean }) {
  const parent = source.inherited[language];
  if (!parent || !isEmpty) return null;
  return <p className="text-12 text-soft">{texts.inherited(languageName(parent.code))}</p>;
}

/** A remark for the person, which does not prevent saving. */
function Note({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 text-13 text-warn">
      <span className="flex items-start gap-1.5">
        <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
        <span className="wrap-anywhere">{children}</span>
      </span>
      {action}
    </div>
  );
}

/** Shows the text of somebody else beside the person's own text. The person chooses one of them. */
function Conflict({
  edit,
  editor: { store },
  direction,
}: {
  edit: TextEdit;
  editor: TranslationsEditor;
  direction: string;
}) {
  const { place, theirs } = edit;
  const { conflict } = texts;
  return (
    <div role="alert" className="flex flex-col items-start gap-1.5 rounded-6 bg-bad-tint px-2.5 py-2 text-13 text-ink">
      <p>{theirs?.text === null ? conflict.removed : conflict.title}</p>
      {theirs?.text != null && (
        <p>
          <span className="text-soft">{conflict.theirs}</span>{' '}
          <q lang={place.language} dir={direction} className="whitespace-pre-wrap wrap-anywhere">
            {theirs.text}
          </q>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" onPress={() => store.resolve(place, 'mine')}>
          {conflict.mine}
        </Button>
        <Button size="small" onPress={() => store.resolve(place, 'theirs')}>
          {conflict.use}
        </Button>
      </div>
    </div>
  );
}
