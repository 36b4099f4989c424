import type { Document } from '@usher/domain';
import { Thumbnail } from '../../editor/preview/thumbnail.tsx';
import * as text from '../../messages/text.ts';
import { Part } from '../../publish/publish-section.tsx';
import { useExperienceTheme } from '../../themes/use-preview-theme.ts';
import { useScheme } from '../../ui/theme.ts';

const texts = text.proposals;
const WIDTH = 272;

/** A picture of each step as it would be, painted by the renderer that users get. */
export function StepPictures({ id, document }: { id: string; document: Document }) {
  const scheme = useScheme();
  const theme = useExperienceTheme(document.theme_id ?? null, null);
  // What has items instead of steps is painted as a whole.
  const steps = document.steps.length > 0 ? document.steps : [{ id, title: '' }];
  return (
    <Part level={2} title={texts.preview}>
      <ul className="flex flex-wrap gap-4">
        {steps.map((step, index) => (
          <li key={step.id} className="flex max-w-full flex-col gap-1">
            <Thumbnail
              id={id}
              experience={document}
              step={index}
              scheme={scheme}
              theme={theme}
              width={WIDTH}
              allowScripts={false}
              maxScale={0.7}
            />
            {document.steps.length > 1 && <span className="text-12 text-soft">{texts.step(index + 1)}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}
