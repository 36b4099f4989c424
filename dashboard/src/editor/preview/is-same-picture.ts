import { listLookFields } from '@usher/domain/fields';
import { kinds } from '@usher/domain/kinds';
import { keysOf } from '../../ui/keys-of.ts';
import type { ThumbnailProps } from './thumbnail.tsx';

/** A picture shows one step, and depends on the number of steps. Other changes of the Experience do not matter. */
export function isSamePicture(before: ThumbnailProps, after: ThumbnailProps): boolean {
  const { experience: old, ...oldProps } = before;
  const { experience, ...props } = after;
  const isSameStep =
    old === experience ||
    (kinds[experience.kind].parts === 'steps' &&
      old.kind === experience.kind &&
      listLookFields(kinds[experience.kind].fields).every(
        (name) => Reflect.get(old, name) === Reflect.get(experience, name),
      ) &&
      old.steps.length === experience.steps.length &&
      old.steps[before.step] === experience.steps[after.step] &&
      old.steps[before.step + 1]?.secondary_trigger === experience.steps[after.step + 1]?.secondary_trigger);
  const names = keysOf({ ...oldProps, ...props });
  return isSameStep && names.every((name) => oldProps[name] === props[name]);
}
