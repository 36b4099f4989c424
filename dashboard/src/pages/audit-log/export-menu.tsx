import { Download } from 'lucide-react';
import { download } from '../../api/api.ts';
import { saveFile } from '../../app/save-file.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { Filters } from './use-filters.ts';

const { export: texts } = text.auditLog;
const formats = ['csv', 'json'] as const;

/** Downloads all entries that match the filters, not only the loaded ones. */
export function ExportMenu({ filters }: { filters: Filters }) {
  const save = async (format: (typeof formats)[number]) => {
    try {
      const file = await download('GET /v3/analyze/audit_entries.{format}', { ...filters, format });
      saveFile(file, `${texts.fileName}.${format}`);
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Menu
      label={texts.label}
      placement="bottom end"
      trigger={<Button icon={Download}>{texts.open}</Button>}
      groups={[
        { entries: formats.map((format) => ({ id: format, label: texts[format], onAction: () => save(format) })) },
      ]}
    />
  );
}
