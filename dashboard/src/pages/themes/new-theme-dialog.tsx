import { emptyTheme } from '@usher/domain';
import { themeStarts } from '@usher/domain/themes';
import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import type { ParamsOf } from '../../api/api.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Thumbnail } from '../../editor/preview/thumbnail.tsx';
import { freeName } from '../../experiences/free-name.ts';
import * as text from '../../messages/text.ts';
import { usePreviewTheme } from '../../themes/use-preview-theme.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useScheme } from '../../ui/theme.ts';
import { isNarrow, useWidth } from '../../ui/use-width.ts';
import { useSamples } from './theme-preview.tsx';

const texts = text.themes.newDialog;
const GAP = 12;
const BORDERS = 2;
type Start = (typeof themeStarts)[number];

/** Creates a theme from one of the starts, and opens it. */
export function NewThemeDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const [, navigate] = useLocation();
  const create = useSend('POST /v3/edit/themes');
  const [ref, width] = useWidth();
  const columns = isNarrow(width) ? 1 : 3;
  const pictureWidth = width && Math.floor((width - (columns - 1) * GAP) / columns) - BORDERS;
  // The first theme is for all Experiences: without that, publishing it would change nothing.
  const make = ({ name, styles }: Start) =>
    create.mutate(
      { name: freeName(name, taken), default: taken.length === 0, ...styles } as ParamsOf<'POST /v3/edit/themes'>,
      {
        onSuccess: ({ theme }) => navigate(`/app/themes/${theme.id}`),
      },
    );
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} description={texts.description} size="large">
      <ErrorNotice error={create.error} />
      <ul ref={ref} className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {themeStarts.map((start) => (
          <li key={start.id} className="flex">
            <AriaButton
              isDisabled={create.isPending}
              onPress={() => make(start)}
              className="flex w-full flex-col overflow-hidden rounded-10 border border-line text-start transition-colors data-hovered:border-edge data-hovered:bg-hover"
            >
              {pictureWidth !== undefined && <StartPicture start={start} width={pictureWidth} />}
              <span className="flex min-w-0 flex-col gap-0.5 px-3 py-2.5">
                <span className="text-14 font-medium">{start.name}</span>
                <span className="text-13 text-soft">{start.description}</span>
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function StartPicture({ start, width }: { start: Start; width: number }) {
  const scheme = useScheme();
  const theme = useMemo(() => ({ ...emptyTheme(start.name), ...start.styles }), [start]);
  const { sheet } = usePreviewTheme(theme, null);
  const [sample] = useSamples() ?? [];
  if (!sample) return <span className="block" style={{ height: Math.round((width * 640) / 1024) }} />;
  return (
    <Thumbnail
      id={sample.id}
      experience={sample.document}
      step={0}
      scheme={scheme}
      theme={sheet}
      width={width}
      className="rounded-none border-0 border-b"
    />
  );
}
