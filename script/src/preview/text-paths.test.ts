import { describe, expect, it } from 'vitest';
import type { PageExperience } from '../wire.ts';
import { listTextPaths } from './text-paths.ts';

describe('the path of a text', () => {
  it('is found by the text itself, not by its words', () => {
    const button = (id: string) => ({ id, text: ['Same'] });
    const experience: PageExperience = {
      ...{ id: 'e', kind: 'survey' },
      steps: [
        { id: 's1', title: ['Same'], body: [['p', 'Same']], buttons: [button('b1'), button('b2')] },
        { id: 's2', title: ['Same'], label_low: ['Same'], dropdown_items: [['Same'], ['Same']] },
      ],
    };
    const pathOf = listTextPaths(experience);
    const [first, second] = experience.steps ?? [];
    expect([first?.title, first?.body, first?.buttons?.[1]?.text].map(pathOf)).toEqual([
      'steps.0.title',
      'steps.0.body',
      'steps.0.buttons.1.text',
    ]);
    expect([second?.title, second?.label_low, second?.dropdown_items?.[1]].map(pathOf)).toEqual([
      'steps.1.title',
      'steps.1.label_low',
      'steps.1.dropdown_items.1',
    ]);
    expect(pathOf(['Same'])).toBe(undefined);
  });

  it('of the link of an item comes from its address', () => {
    const pathOf = listTextPaths({ id: 'e', kind: 'launcher', title: ['Help'], items: [] });
    expect(pathOf([['a', { href: '#items.3' }, 'Guide']])).toBe('items.3.title');
    expect(pathOf([['a', { href: 'https://example.com/#items.3' }, 'Guide']])).toBe(undefined);
    expect(pathOf([['p', 'Guide']])).toBe(undefined);
    expect(pathOf([])).toBe(undefined);
  });
});
