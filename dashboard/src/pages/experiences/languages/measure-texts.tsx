import type { Document, Translations } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import { useState } from 'react';
import { PreviewDocument } from '../../../editor/preview/preview-document.tsx';
import { usePreviewContent } from '../../../editor/preview/use-preview-content.ts';
import { usePreviewFrame } from '../../../editor/preview/use-preview-frame.ts';

interface MeasureTextsProps {
  id: string;
  document: Document;
  translations: Translations;
  language: string;
  /** The step of the text that is being typed. */
  step: number;
  isPhone: boolean;
  onMeasured: (step: number, paths: readonly string[]) => void;
}

const WINDOWS = { desktop: { width: 1024, height: 768 }, phone: { width: 375, height: 720 } };

/**
 * Paints the steps in one language invisibly, and reports which texts do not fit: first every step once, then the step
 * that is being translated whenever it changes. A frame outside of the window would not be painted, so the frame is
 * behind the page.
 */
export function MeasureTexts({ id, document, translations, language, step, isPhone, onMeasured }: MeasureTextsProps) {
  const [next, setNext] = useState(0);
  const count = kinds[document.kind].parts === 'items' ? 1 : document.steps.length;
  const content = usePreviewContent({ id, translations, language });
  const onOverflow = (painted: number, paths: readonly string[]) => {
    onMeasured(painted, paths);
    if (painted === next) setNext(next + 1);
  };
  const { frame, painted } = usePreviewFrame({
    ...{ content, experience: document, scheme: 'light', mode: 'picture', onOverflow },
    step: next < count ? next : step,
  });
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 -z-10 overflow-hidden opacity-0">
      <PreviewDocument
        frame={frame}
        kind={document.kind}
        title=""
        isPainted={painted !== undefined}
        isPicture
        size={{ ...WINDOWS[isPhone ? 'phone' : 'desktop'], scale: 1 }}
      />
    </div>
  );
}
