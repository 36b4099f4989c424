import type { Document, PageSketch } from '@usher/domain';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type {
  PreviewEvent,
  PreviewMark,
  PreviewMode,
  PreviewRect,
  PreviewRequest,
} from '../../../../script/src/preview/messages.ts';
import type { PageExperience, PageTheme } from '../../../../script/src/wire.ts';
import type { PreviewContent } from './preview-content.ts';
import { readEvent, translatePath } from './read-event.ts';

interface FrameInput {
  content: PreviewContent | undefined;
  experience: Document;
  step: number;
  mode: PreviewMode;
  scheme: 'light' | 'dark';
  theme?: PageTheme | undefined;
  /** The direction of the page. The default is that of the language. */
  direction?: 'ltr' | 'rtl' | undefined;
  /** The path of a text that is marked. */
  edited?: string | undefined;
  /** The page behind the step. */
  sketch?: PageSketch | undefined;
  onText?: ((path: string, box: PreviewRect) => void) | undefined;
  onStep?: ((step: number) => void) | undefined;
  /** Is called after each painting, with the paths of the texts of a step that do not fit. */
  onOverflow?: ((step: number, paths: readonly string[]) => void) | undefined;
}

interface PreviewFrame {
  frame: RefObject<HTMLIFrameElement | null>;
  /** The rectangle of the Experience in the frame; undefined before the first painting. */
  painted: PreviewRect | null | undefined;
}

/** Sends what to paint to the document of the preview, at most once for each frame of the screen, and receives its messages. */
export function usePreviewFrame(input: FrameInput): PreviewFrame {
  const frame = useRef<HTMLIFrameElement>(null);
  const [painted, setPainted] = useState<PreviewRect | null>();
  const latest = useRef(input);
  const sent = useRef<{ input: FrameInput; content: PageExperience }>(undefined);
  const marked = useRef<string>(undefined);
  const isReady = useRef(false);
  const scheduled = useRef(0);
  latest.current = input;

  const send = () => {
    scheduled.current = 0;
    const next = latest.current;
    if (!isReady.current || !next.content) return;
    // The sandboxed frame has an opaque origin, which `postMessage` cannot name. The policy of the dashboard allows no
    // other document in the frame.
    const post = (message: PreviewRequest | PreviewMark) => frame.current?.contentWindow?.postMessage(message, '*');
    if (!sent.current || !isSame(sent.current.input, next)) {
      const request = toRequest(next, next.content);
      sent.current = { input: next, content: request.experience };
      post(request);
    }
    const path = next.edited && translatePath(next.edited, next.experience, sent.current.content);
    if (marked.current !== path) post({ usher: 'preview', edited: path ?? null });
    marked.current = path;
  };
  const schedule = () => {
    scheduled.current ||= requestAnimationFrame(send);
  };

  const receive = (event: PreviewEvent) => {
    const { experience, onText, onStep, onOverflow } = latest.current;
    switch (event.event) {
      case 'ready':
        isReady.current = true;
        sent.current = undefined;
        marked.current = undefined;
        return schedule();
      case 'painted':
        if (sent.current && onOverflow) onOverflow(event.step, translateAll(event.overflow, sent.current.content));
        return setPainted((old) => (JSON.stringify(old) === JSON.stringify(event.box) ? old : event.box));
      case 'step':
        // The frame shows this step already. Sending it again would stop the animation.
        if (sent.current) sent.current.input = { ...sent.current.input, step: event.step };
        return onStep?.(event.step);
      case 'text': {
        const path = sent.current && translatePath(event.path, sent.current.content, experience);
        return path === undefined ? undefined : onText?.(path, event.box);
      }
    }
  };
  const translateAll = (paths: readonly string[], content: PageExperience) =>
    paths.flatMap((path) => translatePath(path, content, latest.current.experience) ?? []);
  const receiver = useRef(receive);
  receiver.current = receive;

  useEffect(schedule);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (!source || source !== frame.current?.contentWindow) return;
      const event = readEvent(data);
      if (event) receiver.current(event);
    };
    addEventListener('message', onMessage);
    return () => {
      removeEventListener('message', onMessage);
      cancelAnimationFrame(scheduled.current);
      scheduled.current = 0;
    };
  }, []);
  return { frame, painted };
}

const keys = ['content', 'experience', 'step', 'mode', 'scheme', 'theme', 'direction', 'sketch'] as const;

function isSame(one: FrameInput, other: FrameInput): boolean {
  return keys.every((key) => one[key] === other[key]);
}

function toRequest(
  { experience, step, mode, scheme, theme, direction, sketch }: FrameInput,
  content: PreviewContent,
): PreviewRequest {
  const build = mode === 'picture' ? content.buildStep : content.build;
  return {
    usher: 'preview',
    experience: build(experience, step),
    ...{ step, mode, scheme, direction: direction ?? content.direction },
    still: mode === 'picture' || matchMedia('(prefers-reduced-motion: reduce)').matches,
    ...(content.labels && { labels: content.labels }),
    ...(sketch && { sketch }),
    ...(theme && { theme }),
  };
}
