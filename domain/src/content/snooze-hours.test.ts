import { describe, expect, it } from 'vitest';
import { snoozeChoices } from '../fields/step-fields.ts';
import { listSnoozeHours } from './snooze-hours.ts';

describe('the times of a step', () => {
  it.each([
    [{}, []],
    [{ snooze_hours: null, snooze_choices: [] }, []],
    [{ snooze_hours: 0.5 }, [0.5]],
    [{ snooze_choices: ['7d', '1h'] }, [1, 168]],
    [{ snooze_hours: 24, snooze_choices: ['3d', '1d', '1d'] }, [24, 72]],
    [{ snooze_choices: snoozeChoices }, [1, 4, 24, 72, 168, 336, 720]],
  ])('%j are hours in order, each once', (step, hours) => {
    expect(listSnoozeHours(step)).toEqual(hours);
  });
});
