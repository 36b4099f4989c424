import { useQuery } from '@tanstack/react-query';
import { keysOf } from '@usher/domain';
import { useContext, useState } from 'react';
import { query } from '../api/queries.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { ComboBox } from '../ui/combo-box.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { EarlierAnswersContext } from './earlier-answers.ts';
import { ANSWER, buildMergeTag, type EditedTag, listMergeProperties, readEditedTag } from './merge-tag.ts';

const texts = text.content.mergeTag;

interface MergeTagMenuProps {
  /** The merge tag that is changed. */
  tag?: string | undefined;
  onInsert: (tag: string) => void;
  /** Is called when it closes without a choice. The focus goes back to the text. */
  onClose: () => void;
}

/** Chooses a property of the user, with sample values, and a fallback for people who have no value. */
export function MergeTagMenu({ tag, onInsert, onClose }: MergeTagMenuProps) {
  const [before] = useState(() => (tag === undefined ? undefined : readEditedTag(tag)));
  const [path, setPath] = useState(before?.path ?? null);
  const [shows, setShows] = useState<keyof typeof texts.shows>(before?.ago ?? 'value');
  const [fallback, setFallback] = useState(before?.fallback ?? '');
  const profile = useQuery(query('GET /v3/edit/properties', { kind: 'profile' }));
  const company = useQuery(query('GET /v3/edit/properties', { kind: 'company' }));
  const earlier = useContext(EarlierAnswersContext);
  const [answers] = useState(() => earlier.list());
  const properties = listMergeProperties(profile.data?.properties ?? [], company.data?.properties ?? []);
  // A tag that says how long ago a time was keeps that also while the properties are loading.
  const isTime = shows !== 'value' || properties.some((one) => one.path === path && one.isTime);
  const edited: EditedTag | undefined =
    path === null ? undefined : { path, ago: shows === 'value' ? undefined : shows, fallback };
  const choose = (next: string | null) => {
    setPath(next);
    if (next !== path) setShows('value');
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={before ? texts.change : texts.title}
      onSubmit={() => edited && onInsert(buildMergeTag(edited))}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={!edited}>
            {before ? texts.save : texts.insert}
          </Button>
        </>
      }
    >
      <ComboBox
        label={answers.length > 0 ? texts.propertyOrAnswer : texts.property}
        autoFocus
        options={[
          ...answers.map(({ stepId, name }) => ({ value: ANSWER + stepId, label: texts.answerTo(name) })),
          ...properties.map(({ path, name, sample }) => ({
            value: path,
            label: path,
            description: sample === undefined ? name : texts.sample(name, sample),
          })),
        ]}
        value={path}
        onChange={choose}
      />
      {isTime && (
        <Select
          label={texts.showsLabel}
          options={keysOf(texts.shows).map((value) => ({ value, label: texts.shows[value] }))}
          value={shows}
          onChange={setShows}
        />
      )}
      <TextField
        label={texts.fallback}
        help={texts.fallbackHelp}
        value={fallback}
        onChange={setFallback}
        placeholder={texts.fallbackExample}
        isOptional
      />
      {edited && <code className="rounded-6 bg-ground px-2 py-1 text-13">{buildMergeTag(edited)}</code>}
    </Dialog>
  );
}
