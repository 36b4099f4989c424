import { useQuery } from '@tanstack/react-query';
import type { Document, ThemeDocument } from '@usher/domain';
import { type ExperienceKind, kinds } from '@usher/domain/kinds';
import type { Scheme } from '@usher/domain/themes';
import { ArrowRight, Moon, Sun } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { PageTheme } from '../../../../script/src/wire.ts';
import { query } from '../../api/queries.ts';
import { documentOf } from '../../editor/document.ts';
import { Thumbnail } from '../../editor/preview/thumbnail.tsx';
import * as text from '../../messages/text.ts';
import { usePreviewTheme } from '../../themes/use-preview-theme.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { chooseView, indexOf } from './choose-view.ts';
import { useSamples } from './theme-preview.tsx';

const texts = text.themes.publish;
const PAINTED = 2;
const PLAIN = '';
const GAPS = 40;
const schemes = [
  { value: 'light', label: text.preview.scheme.light, icon: Sun },
  { value: 'dark', label: text.preview.scheme.dark, icon: Moon },
] as const;

interface Live {
  id: string;
  kind: ExperienceKind;
  version_id: string | null;
}

interface ThemePicturesProps {
  experiences: readonly Live[];
  /** What users see now, and what they will see; undefined for the look of the script. */
  before: ThemeDocument | undefined;
  after: ThemeDocument | undefined;
}

/** Live Experiences as users see them, and as they will be. First it shows where the difference is. Without one, it shows a tour. */
export function ThemePictures({ experiences, before, after }: ThemePicturesProps) {
  const first = useMemo(() => chooseView(before, after), [before, after]);
  const [view, setView] = useState(first);
  const [shown, setShown] = useState(PAINTED);
  const [sample] = useSamples() ?? [];
  const sheets = {
    before: usePreviewTheme(before, null, indexOf(before, view.variation)).sheet,
    after: usePreviewTheme(after, null, indexOf(after, view.variation)).sheet,
  };
  const names = [...new Set([after, before].flatMap((theme) => theme?.variations ?? []).map(({ name }) => name))];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={text.preview.scheme.label}
          options={schemes}
          value={view.scheme}
          onChange={(scheme) => setView({ ...view, scheme })}
        />
        {names.length > 0 && (
          <Select
            label={text.themes.preview.shown}
            options={[
              { value: PLAIN, label: text.themes.preview.plain },
              ...names.map((name) => ({ value: name, label: name })),
            ]}
            value={view.variation ?? PLAIN}
            onChange={(name) => setView({ ...view, variation: name === PLAIN ? null : name })}
            className="min-w-44 flex-1 sm:max-w-52 [&>:first-child]:sr-only"
          />
        )}
      </div>
      {experiences.slice(0, shown).map((one) => (
        <LivePair key={one.id} live={one} scheme={view.scheme} {...sheets} />
      ))}
      {experiences.length === 0 && sample && (
        <Pair id={sample.id} document={sample.document} scheme={view.scheme} {...sheets} />
      )}
      {experiences.length > shown && (
        <Button size="small" className="self-start" onPress={() => setShown(shown + 2 * PAINTED)}>
          {texts.morePictures}
        </Button>
      )}
    </>
  );
}

interface PairProps {
  scheme: Scheme;
  before: PageTheme | undefined;
  after: PageTheme | undefined;
}

/** What users see is a version: the draft may have changed since. */
function LivePair({ live: { id, kind, version_id }, ...props }: PairProps & { live: Live }) {
  const { data } = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/versions/{version_id}', {
      ...{ kind: kinds[kind].path as never, id, version_id: version_id ?? '' },
    }),
    enabled: version_id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const document = useMemo(() => data && documentOf({ ...data.version.document, kind } as never), [data, kind]);
  return document && <Pair id={id} document={document} {...props} />;
}

function Pair({ id, document, scheme, before, after }: PairProps & { id: string; document: Document }) {
  const [ref, width] = useWidth();
  const size = width && Math.floor((width - GAPS) / 2);
  const shared = { id, experience: document, step: 0, scheme };
  return (
    <div ref={ref} className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
      {size !== undefined && (
        <>
          <Painted title={texts.before}>
            <Thumbnail {...shared} theme={before} width={size} />
          </Painted>
          <ArrowRight size={16} aria-hidden className="mt-5 text-faint rtl:rotate-180" />
          <Painted title={texts.after}>
            <Thumbnail {...shared} theme={after} width={size} />
          </Painted>
        </>
      )}
    </div>
  );
}

function Painted({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-12 text-soft">{title}</figcaption>
      {children}
    </figure>
  );
}
