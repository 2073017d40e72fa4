/** The name of the case that a row of a matrix, `name/row`, belongs to; a case without rows has its own. */
export const matrixName = (id: string): string => id.split('/')[0] ?? id;
