import * as text from '../messages/text.ts';

/** Lets the browser check the syntax, because it knows it best. Undefined if the selector is valid or empty. */
export function findSyntaxProblem(selector: string | null): string | undefined {
  if (selector === null) return undefined;
  try {
    document.createDocumentFragment().querySelector(selector);
    return undefined;
  } catch {
    return text.content.element.syntax;
  }
}
