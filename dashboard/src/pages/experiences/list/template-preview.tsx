import type { Document } from '@usher/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Thumbnail } from '../../../editor/preview/thumbnail.tsx';
import * as text from '../../../messages/text.ts';
import { useExperienceTheme } from '../../../themes/use-preview-theme.ts';
import { IconButton } from '../../../ui/button.tsx';
import { useScheme } from '../../../ui/theme.ts';
import { useWidth } from '../../../ui/use-width.ts';
import type { ShownTemplate } from './template-list.tsx';

const { preview } = text.experiences.newDialog;
/** The Experience is shown as large as this in a picture with room for it. */
const MAX_SCALE = 0.9;

/** A large picture of one step of a template, in the default theme of the account, with buttons to its other steps. */
export function TemplatePreview({ template }: { template: ShownTemplate | undefined }) {
  const [ref, width] = useWidth();
  const [step, setStep] = useState(0);
  const scheme = useScheme();
  const theme = useExperienceTheme(null, null);
  const document = template?.document as unknown as Document | undefined;
  const count = document?.steps.length ?? 0;
  return (
    <section
      aria-label={preview.label}
      className="sticky top-0 z-10 order-first flex flex-col gap-2 bg-raised max-md:-top-4 max-md:-mt-4 max-md:pt-4 max-md:pb-2 md:order-none"
    >
      <div ref={ref} className="aspect-[1024/640]">
        {document && width !== undefined && (
          <Thumbnail
            id={template?.model_id ?? ''}
            experience={document}
            step={step}
            scheme={scheme}
            theme={theme}
            width={width}
            maxScale={MAX_SCALE}
          />
        )}
      </div>
      <div className="flex min-h-8 items-center gap-2">
        <p className="flex-1 text-14 text-soft">{template?.description}</p>
        {count > 1 && (
          <>
            <IconButton
              icon={ChevronLeft}
              label={preview.previous}
              size="small"
              isDisabled={step === 0}
              onPress={() => setStep(step - 1)}
            />
            <span aria-live="polite" className="text-13 whitespace-nowrap text-soft tabular-nums">
              {preview.step(step + 1, count)}
            </span>
            <IconButton
              icon={ChevronRight}
              label={preview.next}
              size="small"
              isDisabled={step === count - 1}
              onPress={() => setStep(step + 1)}
            />
          </>
        )}
      </div>
    </section>
  );
}
