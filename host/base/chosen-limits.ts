/** Limits that an administrator has chosen; absent: that of the machine. */
export interface ChosenLimits {
  readonly cellMemoryBytes?: number;
  readonly browserMemoryBytes?: number;
  readonly browserTasks?: number;
  readonly cpuPercent?: number;
  readonly profileBytes?: number;
  readonly cellConnections?: number;
  readonly cellNames?: number;
}
