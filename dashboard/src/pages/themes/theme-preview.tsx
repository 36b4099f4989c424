import { useQuery } from '@tanstack/react-query';
import type { Document, Step, ThemeDocument } from '@usher/domain';
import { type ExperienceKind, experienceKinds, kinds } from '@usher/domain/kinds';
import { AlignLeft, AlignRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { PersonChoice, WindowChoices } from '../../editor/preview/preview-bar.tsx';
import { usePreviewChoices } from '../../editor/preview/preview-choices.ts';
import { Thumbnail } from '../../editor/preview/thumbnail.tsx';
import { usePreviewPeople } from '../../editor/preview/use-preview-people.ts';
import * as text from '../../messages/text.ts';
import { usePreviewTheme } from '../../themes/use-preview-theme.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWidth } from '../../ui/use-width.ts';

const texts = text.themes.preview;
const directions = [
  { value: 'ltr', label: texts.direction.ltr, icon: AlignLeft },
  { value: 'rtl', label: texts.direction.rtl, icon: AlignRight },
] as const;

const [BY_PERSON, PLAIN] = ['person', 'plain'];
const GAP = 16;
const PADDING = 32;
const PHONE_WIDTH = 240;
const MIN_WIDTH = 360;

interface ThemePreviewProps {
  theme: ThemeDocument;
  /** The variation that is edited. It shows until another one is chosen. */
  variation?: number | undefined;
}

/** The theme on an Experience of each kind, painted by the script. */
export function ThemePreview({ theme, variation }: ThemePreviewProps) {
  const { account } = useSession();
  const [choices, change] = usePreviewChoices(account.id);
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr');
  const [chosen, setChosen] = useState<string>();
  const { people, profile } = usePreviewPeople(choices.profileId);
  const fallback = variation === undefined || !theme.variations[variation] ? BY_PERSON : String(variation);
  const shown =
    chosen !== undefined && (chosen === BY_PERSON || chosen === PLAIN || theme.variations[Number(chosen)])
      ? chosen
      : fallback;
  const index = shown === BY_PERSON ? undefined : shown === PLAIN ? null : Number(shown);
  const { sheet, applies } = usePreviewTheme(theme, profile, index);
  const [ref, width] = useWidth();
  const samples = useSamples();
  const isPhone = choices.width === 'phone';
  const room = (width ?? 0) - PADDING;
  const columns = room > 2 * MIN_WIDTH + GAP ? 2 : 1;
  const pictureWidth = isPhone ? PHONE_WIDTH : Math.floor((room - (columns - 1) * GAP) / columns) - 2;
  return (
    <div className="flex flex-col gap-3 p-4" ref={ref}>
      <div role="toolbar" aria-label={text.preview.bar} className="flex flex-wrap items-center gap-2">
        <WindowChoices choices={choices} onChange={change} />
        <Segmented label={texts.direction.label} options={directions} value={direction} onChange={setDirection} />
        <PersonChoice choices={choices} onChange={change} people={people} />
        {theme.variations.length > 0 && (
          <Select
            label={texts.shown}
            options={[
              { value: BY_PERSON, label: texts.byPerson },
              { value: PLAIN, label: texts.plain },
              ...theme.variations.map(({ name }, at) => ({ value: String(at), label: name })),
            ]}
            value={shown}
            onChange={setChosen}
            className="min-w-44 flex-1 sm:max-w-52 [&>:first-child]:sr-only"
          />
        )}
      </div>
      {theme.variations.length > 0 && index === undefined && (
        <p role="status" className="text-13 wrap-anywhere text-soft">
          {applies < 0 ? texts.appliesNone : texts.applies(theme.variations[applies]?.name ?? '')}
        </p>
      )}
      <ul
        className={isPhone ? 'flex flex-wrap gap-4' : 'grid gap-4'}
        style={isPhone ? {} : { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {!samples && <Skeleton height={240} />}
        {width !== undefined &&
          samples?.map(({ kind, id, document }) => (
            <li key={kind} data-kind={kind} className="flex min-w-0 flex-col gap-1">
              <h2 className="text-13 font-medium">{text.experiences.kinds[kind]}</h2>
              <Thumbnail
                id={id}
                experience={document}
                step={0}
                scheme={choices.scheme}
                theme={sheet}
                direction={direction}
                isPhone={isPhone}
                maxScale={1}
                width={pictureWidth}
              />
            </li>
          ))}
      </ul>
    </div>
  );
}

/** A template of each kind. Where steps can be at an element, the first one is, so that the ring around it shows. */
export function useSamples() {
  const { data } = useQuery({ ...query('GET /v3/edit/templates'), staleTime: Number.POSITIVE_INFINITY });
  return useMemo(
    () =>
      data &&
      experienceKinds.flatMap((kind) => {
        const template = data.templates.find((one) => one.kind === kind);
        if (!template) return [];
        const document = template.document as unknown as Document;
        return [{ kind, id: template.model_id, document: canMove(kind) ? atElement(document) : document }];
      }),
    [data],
  );
}

/** Whether its steps can be at an element or elsewhere. */
const canMove = (kind: ExperienceKind) => kinds[kind].parts === 'steps' && !kinds[kind].place && !kinds[kind].asks;

function atElement(document: Document): Document {
  const [first, ...others] = document.steps;
  const place = { position_type: 'snap_to_element', elements: [{ selector: 'h1' }] };
  return first ? { ...document, steps: [{ ...first, ...place } as Step, ...others] } : document;
}
