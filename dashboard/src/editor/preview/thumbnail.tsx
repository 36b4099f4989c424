import type { Document } from '@usher/domain';
import { memo, useEffect, useRef, useState } from 'react';
import type { PreviewRect } from '../../../../script/src/preview/messages.ts';
import type { PageTheme } from '../../../../script/src/wire.ts';
import { cx } from '../../ui/cx.ts';
import { isSamePicture } from './is-same-picture.ts';
import { PreviewDocument } from './preview-document.tsx';
import { type PreviewContentProps, usePreviewContent } from './use-preview-content.ts';
import { usePreviewFrame } from './use-preview-frame.ts';

export interface ThumbnailProps extends PreviewContentProps {
  experience: Document;
  /** The index of the step in the picture. */
  step: number;
  scheme?: 'light' | 'dark';
  theme?: PageTheme | undefined;
  direction?: 'ltr' | 'rtl';
  /** Whether the window is that of a phone. */
  isPhone?: boolean;
  /** The largest scale of the picture. */
  maxScale?: number;
  /** The width in pixels. The height follows from it. */
  width?: number;
  className?: string;
}

/** The size of the window that the picture shows. */
const DESKTOP = { width: 1024, height: 640 };
const PHONE = { width: 375, height: 560 };
const MARGIN = 48;
/** The largest scale of a small picture. */
const MAX_SCALE = 0.5;
/** Pictures within this distance of the visible area are loaded, because they are about to be scrolled into view. */
const ROOT_MARGIN = '200px';

/**
 * A small picture of one step, painted by the renderer. Neither the pointer nor screen readers reach its content,
 * because the list names the step. The frame exists only while the picture is in view, or nearly so.
 */
export const Thumbnail = memo(function Thumbnail({ width = 144, className, ...props }: ThumbnailProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInView(!!entries.at(-1)?.isIntersecting), {
      rootMargin: ROOT_MARGIN,
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const page = props.isPhone ? PHONE : DESKTOP;
  const height = Math.round((width * page.height) / page.width);
  return (
    <div
      ref={box}
      aria-hidden
      className={cx(
        'pointer-events-none relative shrink-0 overflow-hidden rounded-6 border border-line bg-hover',
        className,
      )}
      style={{ width, height }}
    >
      {isInView && <Picture {...props} width={width} height={height} />}
    </div>
  );
}, isSamePicture);

function Picture(all: ThumbnailProps & { height: number }) {
  const { experience, step, scheme = 'light', theme, direction, isPhone, maxScale = MAX_SCALE, ...props } = all;
  const { width, height } = props;
  const page = isPhone ? PHONE : DESKTOP;
  const content = usePreviewContent(props);
  const { frame, painted } = usePreviewFrame({ content, experience, step, scheme, theme, direction, mode: 'picture' });
  const { scale, left, top } = zoomTo(painted ?? null, { width: width ?? 0, height }, page, maxScale);
  return (
    <PreviewDocument
      frame={frame}
      kind={experience.kind}
      title=""
      isPainted={painted !== undefined}
      isPicture
      size={{ ...page, scale }}
      className="absolute"
      style={{ left, top }}
    />
  );
}

interface Size {
  width: number;
  height: number;
}

/** Zooms to the painted Experience, as large as it fits, with a bit of the page around it. */
function zoomTo(
  box: PreviewRect | null,
  view: Size,
  page: Size,
  maxScale: number,
): { scale: number; left: number; top: number } {
  const whole = view.width / page.width;
  if (!box) return { scale: whole, left: 0, top: 0 };
  const fitting = Math.min(view.width / (box.width + 2 * MARGIN), view.height / (box.height + 2 * MARGIN));
  const scale = Math.max(whole, Math.min(maxScale, fitting));
  const place = (start: number, length: number, room: number, max: number) =>
    Math.min(0, Math.max(room - max * scale, room / 2 - (start + length / 2) * scale));
  return {
    scale,
    left: place(box.left, box.width, view.width, page.width),
    top: place(box.top, box.height, view.height, page.height),
  };
}
