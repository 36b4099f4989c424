import type { Document, PageSketch } from '@usher/domain';
import { useRef } from 'react';
import type { PreviewRect } from '../../../../script/src/preview/messages.ts';
import type { PageTheme } from '../../../../script/src/wire.ts';
import * as text from '../../messages/text.ts';
import { cx } from '../../ui/cx.ts';
import { type ClickedText, type FrameSize, type Size, toRoom } from './place-card.ts';
import { PreviewDocument } from './preview-document.tsx';
import { useElementSize } from './use-element-size.ts';
import { type PreviewContentProps, usePreviewContent } from './use-preview-content.ts';
import { usePreviewFrame } from './use-preview-frame.ts';

export type PreviewWidth = 'desktop' | 'phone';
export type PreviewScheme = 'light' | 'dark';

export interface PreviewProps extends PreviewContentProps {
  /** The draft. A change of it is painted with the next frame of the screen. */
  experience: Document;
  /** The index of the step that shows. */
  step?: number;
  scheme?: PreviewScheme;
  theme?: PageTheme | undefined;
  width?: PreviewWidth;
  /** The minimum width of the window of a desktop. */
  desktopWidth?: number;
  /** Whether everything works as on the page of a user. Otherwise a click on a text calls `onText`. */
  isTrying?: boolean;
  /**
   * Is called when a text is clicked, or Enter is pressed on it. The path is that of the draft, such as
   * `steps.1.buttons.0.text`; rectangles are relative to the element of the preview.
   */
  onText?: (path: string, text: ClickedText) => void;
  /** The path of the text that is being edited. It is marked. */
  edited?: string | undefined;
  /** The page behind the step. The default is an example page. */
  sketch?: PageSketch | undefined;
  /** Is called when a button in the preview has led to another step. */
  onStep?: (step: number) => void;
  /** Is called after each painting, with the paths of the texts of a step that do not fit. */
  onOverflow?: (step: number, paths: readonly string[]) => void;
  className?: string;
}

/** In less space, a window of this width is shown smaller, so that the layout is that of a desktop. */
const DESKTOP_WIDTH = 800;
const PHONE = { width: 375, height: 720 };
const PHONE_MARGIN = 16;

/** An Experience as users see it, painted by the script that they load. It fills the element around it. */
export function Preview(props: PreviewProps) {
  const {
    experience,
    step = 0,
    scheme = 'light',
    width = 'desktop',
    isTrying = false,
    edited,
    sketch,
    theme,
    onStep,
    onOverflow,
  } = props;
  const container = useRef<HTMLDivElement>(null);
  const room = useElementSize(container);
  const content = usePreviewContent(props);
  const mode = isTrying ? 'try' : 'edit';
  const isPhone = width === 'phone';
  const size = isPhone ? phoneSize(room) : desktopSize(room, props.desktopWidth);
  const onText = (path: string, box: PreviewRect) =>
    props.onText?.(path, { box: toRoom(box, size, room), around: painted ? toRoom(painted, size, room) : null });
  const shown = { content, experience, step, mode, scheme, theme, edited, sketch } as const;
  const { frame, painted } = usePreviewFrame({ ...shown, onText, onStep, onOverflow });
  return (
    <div
      ref={container}
      className={cx(
        'grid min-h-0 min-w-0 place-items-center overflow-hidden',
        isPhone ? 'bg-ground' : 'bg-surface',
        props.className,
      )}
    >
      <div
        className={cx('overflow-hidden', isPhone && 'rounded-10 border border-line')}
        style={{ width: size.width * size.scale, height: size.height * size.scale }}
      >
        <PreviewDocument
          frame={frame}
          kind={experience.kind}
          title={text.preview.frame(experience.name || text.preview.unnamed)}
          isPainted={painted !== undefined}
          size={size}
        />
      </div>
    </div>
  );
}

function desktopSize(room: Size, min = DESKTOP_WIDTH): FrameSize {
  const width = Math.max(room.width, min);
  const scale = room.width / width || 1;
  return { width, height: Math.ceil(room.height / scale), scale };
}

function phoneSize(room: Size): FrameSize {
  const scale = Math.min(1, (room.width - PHONE_MARGIN) / PHONE.width || 1);
  const height = Math.min(PHONE.height, Math.floor((room.height - PHONE_MARGIN) / scale));
  return { width: PHONE.width, height: Math.max(height, 0), scale };
}
