import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Document, type ExperienceKind, experienceKinds, pathOfKind, type TemplateId } from '@usher/domain';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { shownIn } from '../../../editor/document.ts';
import { Thumbnail } from '../../../editor/preview/thumbnail.tsx';
import { findFreeName } from '../../../experiences/free-name.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useScheme } from '../../../ui/theme.ts';
import { isNarrow, useWidth } from '../../../ui/use-width.ts';

const texts = text.experiences;

/** The number of templates, so that nothing moves when they are loaded. */
const TEMPLATES = 6;
const GAP = 12;
const BORDERS = 2;

/**
 * Creates a draft from a template or from scratch, and opens it. Templates of the kind that the list shows come first.
 */
export function NewDialog({ kind: shownKind, onClose }: { kind: string; onClose: () => void }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { data, error } = useQuery(query('GET /v3/edit/templates'));
  const [ref, width] = useWidth();
  const columns = isNarrow(width) ? 1 : 3;
  const pictureWidth = width && Math.floor((width - (columns - 1) * GAP) / columns) - BORDERS;
  const scheme = useScheme();
  const rank = (kind: ExperienceKind) => (kind === shownKind ? 0 : 1);
  const templates = data?.templates.toSorted((one, other) => rank(one.kind) - rank(other.kind));
  const kinds = experienceKinds.toSorted((one, other) => rank(one) - rank(other));
  const [failure, setFailure] = useState<unknown>();
  const create = async (kind: ExperienceKind, name: string, template_id?: TemplateId) => {
    try {
      const made = await api('POST /v3/edit/{kind}', {
        kind: pathOfKind(kind),
        name: await findFreeName(name),
        ...(template_id && { template_id }),
      });
      void invalidate(client, 'experiences', 'live');
      navigate(`/app/experiences/${shownIn(made, kind).id}`);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={texts.newDialog.title} size="large">
      <ErrorNotice error={failure ?? error} />
      <h3 className="text-13 font-medium text-soft">{texts.newDialog.templates}</h3>
      <ul ref={ref} className="grid grid-cols-1 gap-3 @container sm:grid-cols-3">
        {!data && !error && [...Array(TEMPLATES).keys()].map((index) => <TemplateSkeleton key={index} />)}
        {templates?.map(({ id, model_id, kind, name, description, document }) => (
          <li key={id} className="flex">
            <AriaButton
              onPress={() => void create(kind, name, id)}
              className="flex w-full flex-col overflow-hidden rounded-10 border border-line text-start transition-colors data-hovered:border-edge data-hovered:bg-hover"
            >
              {pictureWidth !== undefined && (
                <Thumbnail
                  id={model_id}
                  experience={document as unknown as Document}
                  step={0}
                  scheme={scheme}
                  width={pictureWidth}
                  className="rounded-none border-0 border-b"
                />
              )}
              <span className="flex min-w-0 flex-col gap-0.5 px-3 py-2.5">
                <span className="text-14 font-medium">{name}</span>
                <span className="text-13 text-soft">{description}</span>
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
      <h3 className="text-13 font-medium text-soft">{texts.newDialog.blank}</h3>
      <div className="flex flex-wrap gap-2">
        {kinds.map((kind) => (
          <Button key={kind} onPress={() => void create(kind, texts.newDialog.blankName(texts.kinds[kind]))}>
            {texts.kinds[kind]}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function TemplateSkeleton() {
  return (
    <li className="flex flex-col gap-2 rounded-10 border border-line p-3">
      <div className="aspect-[16/9]" />
      <Skeleton width="60%" />
      <Skeleton width="90%" />
    </li>
  );
}
