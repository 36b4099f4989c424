import { expect, it } from 'vitest';
import { labelsFor } from './labels.ts';
import { surveyPageTexts } from './survey-page-texts.ts';

it('has every text in every language that the script has labels in', () => {
  const english = surveyPageTexts(null);
  expect(english).toMatchObject({ language: 'en', survey: 'Survey', closed: 'This survey is not open.' });
  const codes = 'ar cs da de el es fi fr he hu id it ja ko nb nl no pl pt-BR ro ru sv tr uk vi zh zh-TW zh-HK'.split(
    ' ',
  );
  for (const code of codes) {
    expect([code, labelsFor(code)]).not.toEqual([code, undefined]);
    const texts = surveyPageTexts(code);
    expect([code, Object.values(texts).every((text) => text.trim().length > 1)]).toEqual([code, true]);
    for (const name of ['thanks', 'close', 'answered', 'closed', 'link', 'retry'] as const)
      expect([code, name, texts[name]]).not.toEqual([code, name, english[name]]);
  }
  expect(surveyPageTexts('eo')).toEqual(english);
});
