import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/api.ts';

const REPORT_MS = 20_000;

/** Who else has this Experience open in the editor. Reports that this person has. */
export function useOpenEditors(id: string, isEditing: boolean): { id: string; name: string }[] {
  const { data } = useQuery({
    queryKey: ['open-editors', id],
    queryFn: () => api('POST /v3/edit/experiences/{id}/editors', { id }),
    enabled: isEditing,
    refetchInterval: REPORT_MS,
    staleTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (!isEditing) return undefined;
    const leave = () => void api('POST /v3/edit/experiences/{id}/editors', { id, open: false }).catch(() => undefined);
    return leave;
  }, [id, isEditing]);
  return data?.editors ?? [];
}
