import type { ExperienceKind } from '@usher/domain';
import type { CSSProperties, RefObject } from 'react';
import { cx } from '../../ui/cx.ts';

interface PreviewDocumentProps {
  frame: RefObject<HTMLIFrameElement | null>;
  kind: ExperienceKind;
  title: string;
  isPainted: boolean;
  /** The frame has this size, and is shown smaller by the scale. */
  size: { width: number; height: number; scale: number };
  /** Whether the preview is only a picture: neither the keyboard nor screen readers reach it. */
  isPicture?: boolean;
  style?: CSSProperties;
  className?: string;
}

/** The frame itself. It appears when the Experience is painted, and is not loaded again while the kind stays. */
export function PreviewDocument(props: PreviewDocumentProps) {
  const { frame, kind, title, isPainted, size, isPicture = false, style, className } = props;
  const { width, height, scale } = size;
  return (
    <iframe
      ref={frame}
      key={kind}
      title={title}
      src={`/app/preview?kind=${kind}`}
      sandbox="allow-scripts allow-forms"
      {...(isPicture && { tabIndex: -1, inert: true, 'aria-hidden': true })}
      data-painted={isPainted || undefined}
      className={cx('origin-top-left border-0 transition-opacity', !isPainted && 'opacity-0', className)}
      style={{ width, height, transform: `scale(${scale})`, ...style }}
    />
  );
}
