import { useEffect, useRef } from 'react';
import { usePreferences } from '../../app/use-preferences.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { findSteps } from './tour-steps.ts';

const { tour: texts } = text.home;

/** Offers a tour of the dashboard, until the person has seen or declined it. */
export function TourCard() {
  const [{ has_seen_tour }, change] = usePreferences();
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  if (has_seen_tour) return null;
  const end = () => {
    void change({ has_seen_tour: true });
    // The card is gone then, and with it the button that had the focus.
    document.querySelector('h1')?.focus();
  };
  const start = async () => {
    stop.current();
    const { paintTour } = await import('./paint-tour.ts');
    stop.current = paintTour(findSteps(), end);
  };
  return (
    <section
      aria-label={texts.title}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-10 border border-line bg-surface px-5 py-3"
    >
      <div className="flex min-w-48 flex-1 flex-col">
        <h2 className="text-14 font-semibold">{texts.title}</h2>
        <p className="text-13 text-soft">{texts.text}</p>
      </div>
      <div className="flex gap-2">
        <Button look="quiet" onPress={end}>
          {texts.decline}
        </Button>
        <Button onPress={() => void start()}>{texts.start}</Button>
      </div>
    </section>
  );
}
