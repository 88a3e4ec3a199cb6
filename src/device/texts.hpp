// device/texts.hpp: the sources of this folder, to be compiled as CUDA C: kFindingText, kReportText, kWorkText
// and kNumbersText first, then the others.
#pragma once

namespace tenon::device {

extern const char kFindingText[], kReportText[], kWorkText[], kNumbersText[];
extern const char kRandomText[], kRandomKernels[];
extern const char kIndexText[], kIndexKernels[];
extern const char kOrderText[], kSelectText[], kBlockText[], kSelectKernels[], kSortKernels[], kTopKernels[],
    kUniqueKernels[], kSearchKernels[];
extern const char kProductText[], kWideText[], kSegmentText[], kSegmentKernels[], kQuantileText[], kInterpolateText[],
    kSparseText[], kSparseKernels[];
extern const char kSmallText[], kSmallFactorKernels[], kSmallEigenKernels[], kSmallSvdKernels[], kSmallRingKernels[],
    kSmallRingSvdKernels[];

}  // namespace tenon::device
