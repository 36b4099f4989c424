import { Redo2, Undo2 } from 'lucide-react';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { REDO_KEYS, UNDO_KEYS } from './use-undo-keys.ts';

interface UndoButtonsProps {
  canUndo: boolean;
  canRedo: boolean;
  undo: () => void;
  redo: () => void;
}

export function UndoButtons({ canUndo, canRedo, undo, redo }: UndoButtonsProps) {
  return (
    <>
      <IconButton
        icon={Undo2}
        label={text.editor.undo}
        keys={UNDO_KEYS}
        size="small"
        isDisabled={!canUndo}
        onPress={undo}
      />
      <IconButton
        icon={Redo2}
        label={text.editor.redo}
        keys={REDO_KEYS}
        size="small"
        isDisabled={!canRedo}
        onPress={redo}
      />
    </>
  );
}
