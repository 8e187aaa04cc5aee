package capi

import "time"

// BriefWait is the longest time that Waiter.Briefly waits.
const BriefWait = time.Millisecond
