import { contentByLanguage } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { type Example, examples, translations } from '../../pages/components/preview/examples.ts';
import { createPreviewContent } from './preview-content.ts';

const settings = { id: 'tour-1', translations, language: null, profile: null, allowScripts: true };
const nobody = {
  ...{ profile: { facts: {}, custom: {} }, inSegment: () => true, isLive: () => true, isCompleted: () => false },
  ...{ now: Date.now(), language: null },
};

describe('the content of a preview', () => {
  it.each(Object.entries(examples))('is what a page of a user receives: %s', (_, experience) => {
    for (const language of [null, 'ar', 'ar-EG', 'de']) {
      const content = contentByLanguage(
        experience.id,
        { document: experience, translations },
        { allowScripts: true, allowGlobals: false },
      )(language);
      const built = createPreviewContent({ ...settings, id: experience.id, language }).build(experience);
      expect(built).toEqual({ ...JSON.parse(content.jsonFor(nobody)) });
    }
  });

  it('has the values of a profile and its Company', () => {
    const [step] = examples.tour.steps;
    const title = '{{first_name}} {{email}} of {{company.plan}} {{company.uid}}';
    const experience = { ...examples.tour, steps: [{ ...step, title }] } as Example;
    const profile = {
      id: '1',
      email: 'ann@acme.test',
      first_name: 'Ann',
      company: { id: '2', uid: 'acme', plan: 'pro' },
    };
    const { steps } = createPreviewContent({ ...settings, profile }).build(experience);
    expect(steps?.[0]?.title).toEqual(['Ann ann@acme.test of pro acme']);
  });

  it('says how long ago a time was in the language that is previewed, or else in that of the person', () => {
    const [step] = examples.tour.steps;
    const title = '{{time_ago started_at}}, {{time_ago started_at in="hours"}}';
    const experience = { ...examples.tour, steps: [{ ...step, title }] } as Example;
    const started_at = new Date(Date.now() - 3 * 24 * 3_600_000 - 60_000).toISOString();
    const titleIn = (language: string | null, browser_l: string) =>
      createPreviewContent({ ...settings, language, profile: { started_at, browser_l } }).build(experience).steps?.[0]
        ?.title;
    expect(titleIn(null, 'de-CH')).toEqual(['vor 3 Tagen, 72']);
    expect(titleIn('fr', 'de-CH')).toEqual(['il y a 3 jours, 72']);
  });

  it('builds only the step that has changed', () => {
    const content = createPreviewContent(settings);
    const [first, second] = content.build(examples.tour).steps ?? [];
    const [step, ...others] = examples.tour.steps;
    const changed = { ...examples.tour, steps: [{ ...step, title: 'New' }, ...others] } as Example;
    const built = content.build(changed).steps ?? [];
    expect(built[0]?.title).toEqual(['New']);
    expect(built[0]).not.toBe(first);
    expect(built[1]).toBe(second);
  });

  it('of a picture has one step, and knows how many there are', () => {
    const { steps = [] } = createPreviewContent(settings).buildStep(examples.long, 1);
    expect(steps).toHaveLength(20);
    expect(steps[1]?.title).toEqual(['Step 2']);
    expect(steps[0]).toEqual({ id: 'step-0' });
  });

  it('leaves out what runs code if the account does not allow it', () => {
    const content = createPreviewContent({ ...settings, allowScripts: false }).build(examples.tour);
    expect(JSON.stringify(content)).not.toContain('hacked');
  });

  it('has the direction and the labels of its language', () => {
    const arabic = createPreviewContent({ ...settings, language: 'ar' });
    expect([arabic.direction, arabic.labels?.language]).toEqual(['rtl', 'ar']);
    const source = createPreviewContent(settings);
    expect([source.direction, source.labels]).toEqual(['ltr', undefined]);
  });
});
