import type { Page } from '../../report/shared/layout.ts';
import { renderSpan } from '../../report/shared/time.ts';
import { renderColumns } from '../shared/columns.ts';

/** A time of a plan, which has seconds. */
export const span = (seconds: number): string => renderSpan(seconds * 1000);

export const table = (page: Page, names: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  renderColumns(page, { columns: names.map((name) => ({ name })), rows, whole: false }).map((line) => `  ${line}`);
