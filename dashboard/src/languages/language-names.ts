/** Languages that are offered by name. Every other BCP 47 code can be typed. */
const common =
  'af sq am ar hy az eu be bn bs bg my ca zh-Hans zh-Hant hr cs da nl nl-BE en en-GB en-US et fil fi fr fr-CA gl ka de de-AT de-CH el gu he hi hu is id ga it ja kn kk km ko ky lo lv lt mk ms ml mt mr mn ne nb nn fa pl pt pt-BR pt-PT pa ro ru sr si sk sl so es es-419 es-MX sw sv ta te th tr uk ur uz vi cy yi zu'.split(
    ' ',
  );

/** The name of a language in the reader's language: `de` is "German". */
export function languageName(code: string, reader = globalThis.navigator?.language ?? 'en'): string {
  return displayName(code, reader) ?? code;
}

/** The name of a language in the language itself: `de` is "Deutsch". */
export function ownLanguageName(code: string): string {
  return displayName(code, code) ?? code;
}

function displayName(code: string, reader: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([reader], { type: 'language' }).of(code);
    return name && name !== code ? name[0]?.toLocaleUpperCase(reader) + name.slice(1) : undefined;
  } catch {
    return undefined;
  }
}

const rightToLeft = new Set('Adlm Arab Aran Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '));

/** The direction in which a language is written, by its script. */
export function languageDirection(code: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(code).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}

/**
 * The languages that can be added, sorted by name. Variants come last, so that “german” finds German before Austrian
 * German.
 */
export function languageOptions(
  taken: readonly string[],
  reader = navigator.language,
): { value: string; label: string; description: string }[] {
  return common
    .filter((code) => !taken.includes(code))
    .map((code) => ({
      value: code,
      label: languageName(code, reader),
      description: `${ownLanguageName(code)} · ${code}`,
    }))
    .sort(
      (one, other) =>
        Number(one.value.includes('-')) - Number(other.value.includes('-')) || one.label.localeCompare(other.label),
    );
}

/** Finds the code for what somebody typed: a chosen language, its name, or a code. */
export function codeOf(typed: string, options: readonly { value: string; label: string }[]): string {
  const wanted = typed.trim().toLocaleLowerCase();
  return options.find(({ label }) => label.toLocaleLowerCase() === wanted)?.value ?? typed.trim();
}
