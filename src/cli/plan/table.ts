import type { Page } from '../../report/shared/layout.ts';
import { renderSpan } from '../../report/shared/time.ts';
import { renderColumns } from '../shared/columns.ts';

/** Renders seconds, the unit of a plan. */
export const renderPlanSpan = (seconds: number): string => renderSpan(seconds * 1000);

export const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** Most ids of cases in a list. */
export const maxShownIds = 12;

export const renderPlanTable = (
  page: Page,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] =>
  renderColumns(page, { columns: names.map((name) => ({ name })), rows, whole: false }).map((line) => `  ${line}`);
