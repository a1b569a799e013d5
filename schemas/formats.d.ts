export const formats: Record<'date' | 'date-time' | 'uri', (text: string) => boolean>;
export const lengthOf: (text: string) => number;
