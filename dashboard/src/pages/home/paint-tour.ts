import type { ActiveExperience } from '../../../../script/src/active-experience.ts';
import type { Config } from '../../../../script/src/config.ts';
import type { PageStep } from '../../../../script/src/wire.ts';
import { modules } from './loaded-modules.ts';
import '../../../../script/src/renderer.ts';

/*
 * Paints the tour of the dashboard with the renderer of the script. The core is not loaded, which would send page loads of an account,
 * so nothing of this tour reaches the server.
 */

/** Returns a function that removes the tour without a call of `onEnd`. */
export function paintTour(steps: PageStep[], onEnd: () => void): () => void {
  const renderer = modules.renderer?.({ config: {} as Config, matchesPage: () => true, scheduleVisit: () => {} });
  if (!renderer || !modules.tour || steps.length === 0) return () => {};
  const stop = () => active.handle?.stop();
  const active: ActiveExperience = {
    experience: { id: 'dashboard', kind: 'tour', steps },
    ...{ hasStarted: false, isVisible: false, hasSlot: true },
    requestSlot: () => true,
    beforeStep: () => undefined,
    saveStep: () => {},
    report: () => {},
    show: () => {},
    stop,
    end: () => {
      stop();
      onEnd();
    },
  };
  active.handle = renderer.paint(active, modules.tour);
  return stop;
}
